import { BEGIN, createTokenizer } from '../src/models/builtin/generation/tokenizer.ts';
import { workingBytes, workingMemory } from '../src/models/builtin/small/memory.ts';
import { openSmallModel } from '../src/models/builtin/small/small-model.ts';
import { createTransformer, type Scores } from '../src/models/builtin/small/transformer.ts';
import { loadWeights } from '../src/models/builtin/small/weights.ts';
import type { Completion, Model } from '../src/models/model.ts';
import { type NaiveLlama, naiveLlama } from '../test/support/models/naive-llama.ts';
import { storiesFile } from '../test/support/models/weights.ts';
import { type Figure, median, ratios, spent } from './measure.ts';
import { PROMPTS } from './prompts.ts';

const GREEDY = 100;

/** The model in the program against the same model written the obvious way, in speed. */
export async function embedded(): Promise<Figure[]> {
  const naive = naiveLlama(await storiesFile());
  const model = openSmallModel({ threads: 1 });
  try {
    return [await oneStream(model, naive), await threeSiblings(model)];
  } finally {
    await model.close();
  }
}

/** The same two, in what they say. */
export async function embeddedText(): Promise<Figure[]> {
  const path = await storiesFile();
  const model = openSmallModel({ threads: 1 });
  try {
    return await sayingTheSame(path, model, naiveLlama(path));
  } finally {
    await model.close();
  }
}

async function oneStream(model: Model, naive: NaiveLlama): Promise<Figure> {
  const [tokens, fewer] = [150, 30];
  const walls: number[] = [];
  const run = await ratios(
    9,
    async () => {
      const took = await spent(() => textOf(model, { prompt: '', temperature: 0, maxTokens: tokens }));
      walls.push(tokens / took.seconds);
      return tokens / took.cpuSeconds;
    },
    async () => {
      const took = await spent(() => {
        for (let position = 0; position < fewer; position++) naive.forward(300 + position, position);
      });
      return fewer / took.cpuSeconds;
    },
  );
  return {
    name: 'embedded model, one stream through the port ÷ a naive single-thread float32 loop, by processor time',
    goal: { atLeast: 10 },
    values: run.ratios,
    note:
      `${run.ours.toFixed(0)} ÷ ${run.floor.toFixed(0)} tokens a second of processor, passing them on included; ` +
      `by the clock ours made ${median(walls).toFixed(0)}`,
  };
}

async function threeSiblings(model: Model): Promise<Figure> {
  const prompt = 'The sun was up and the birds sang. '.repeat(22).trim();
  const request: Completion = { prompt, maxTokens: 50, seed: 1, truncate: 'left' };
  const prefix = ((await model.countTokens(prompt)) as number) + 1;
  const run = await ratios(
    11,
    async () => (await spent(() => textOf(model, { ...request, n: 3 }))).cpuSeconds,
    async () => (await spent(() => textOf(model, { ...request, n: 1 }))).cpuSeconds,
  );
  return {
    name: `three siblings of 50 tokens after a ${prefix}-token prefix ÷ one, by processor time`,
    goal: { atMost: 2 },
    values: run.ratios,
    note: `${(run.ours * 1000).toFixed(0)} ms ÷ ${(run.floor * 1000).toFixed(0)} ms`,
  };
}

/** Greedy texts of both, and how far apart their probabilities are along the way. */
async function sayingTheSame(path: string, model: Model, naive: NaiveLlama): Promise<Figure[]> {
  const { weights, tokenizer: table } = loadWeights(path, workingBytes);
  const memory = workingMemory(weights.kernel, weights.shape, weights.freeAt);
  const transformer = createTransformer(weights, memory);
  const tokenizer = createTokenizer(table, weights.shape.vocabulary);
  const [cache] = memory.caches as [(typeof memory.caches)[number]];
  const divergences: number[] = [];
  let equal = 0;
  for (const prompt of PROMPTS) {
    const tokens = [BEGIN, ...tokenizer.encode(prompt)];
    const start = tokens.length;
    for (let position = 0; position < start + GREEDY - 1; position++) {
      const token = tokens[position] as number;
      const wanted = naive.forward(token, position);
      transformer.step([{ cache, position, token }]);
      const [found] = transformer.scores([0]) as [Scores];
      if (position < start - 1) continue;
      tokens.push(wanted.indexOf(wanted.reduce((a, b) => Math.max(a, b))));
      divergences.push(divergence(wanted, found, weights.tokens.trained));
    }
    const written = await textOf(model, { prompt, temperature: 0, maxTokens: GREEDY });
    const ended = tokens.findIndex((token, i) => i >= start && token <= 2);
    const naively = Buffer.concat(tokens.slice(start, ended < 0 ? undefined : ended).map(tokenizer.bytesOf)).toString();
    if (written === naively) equal++;
  }
  const mean = divergences.reduce((sum, one) => sum + one, 0) / divergences.length;
  const most = divergences.reduce((a, b) => Math.max(a, b));
  return [
    {
      name: `greedy texts of ${GREEDY} tokens equal to those of float32, of ${PROMPTS.length} prompts`,
      goal: { atLeast: PROMPTS.length },
      values: [equal],
      note: 'as text, through the port',
    },
    {
      name: 'mean Kullback–Leibler divergence from float32',
      goal: { atMost: 0.001 },
      values: [mean],
      note: `over ${divergences.length} tokens, at most ${most.toPrecision(2)}`,
    },
  ];
}

function divergence(wanted: Float32Array, { trained: scores, untrained: unmet }: Scores, met: Int32Array): number {
  const found = new Float64Array(wanted.length).fill(unmet);
  for (const [row, token] of met.entries()) found[token] = scores[row] as number;
  const [p, q] = [logs(wanted), logs(found)];
  return p.reduce((sum, log, i) => sum + Math.exp(log) * (log - (q[i] as number)), 0);
}

function logs(scores: ArrayLike<number>): Float64Array {
  const all = Float64Array.from(scores);
  const most = all.reduce((a, b) => Math.max(a, b));
  const total = most + Math.log(all.reduce((sum, score) => sum + Math.exp(score - most), 0));
  return all.map((score) => score - total);
}

async function textOf(model: Model, request: Completion): Promise<string> {
  let text = '';
  for await (const chunk of model.complete(request)) {
    if (chunk.type === 'refused') throw new Error(chunk.refusal.message);
    if (chunk.type === 'text' && chunk.choice === 0) text += chunk.text;
  }
  return text;
}
