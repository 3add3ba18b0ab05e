import { openEmbeddedModel } from '../src/models/embedded/embedded.ts';
import { workingBytes, workingMemory } from '../src/models/embedded/memory.ts';
import { BEGIN, createTokenizer } from '../src/models/embedded/tokenizer.ts';
import { createTransformer, type Scores } from '../src/models/embedded/transformer.ts';
import { loadWeights } from '../src/models/embedded/weights.ts';
import type { Completion, Model } from '../src/models/model.ts';
import { type NaiveLlama, naiveLlama } from '../test/support/naive-llama.ts';
import { storiesFile } from '../test/support/weights.ts';
import { type Figure, ratios } from './measure.ts';
import { PROMPTS } from './prompts.ts';

const GREEDY = 100;

/** The model in the program against the same model written the obvious way, in speed and in what it says. */
export async function embedded(): Promise<Figure[]> {
  const path = await storiesFile();
  const naive = naiveLlama(path);
  const model = openEmbeddedModel({ threads: 1 });
  try {
    const speed = await oneStream(model, naive);
    const siblings = await threeSiblings(model);
    return [speed, siblings, ...(await sayingTheSame(path, model, naive))];
  } finally {
    await model.close();
  }
}

async function oneStream(model: Model, naive: NaiveLlama): Promise<Figure> {
  const [tokens, fewer] = [100, 40];
  const run = await ratios(
    11,
    async () => tokens / (await seconds(() => textOf(model, { prompt: '', temperature: 0, maxTokens: tokens }))),
    async () =>
      fewer /
      (await seconds(() => {
        for (let position = 0; position < fewer; position++) naive.forward(300 + position, position);
      })),
  );
  return {
    name: 'embedded model, one stream through the port ÷ a naive single-thread float32 loop',
    goal: { atLeast: 10 },
    values: run.ratios,
    note: `${run.ours.toFixed(0)} tokens/s ÷ ${run.floor.toFixed(0)} tokens/s`,
  };
}

async function threeSiblings(model: Model): Promise<Figure> {
  const prompt = 'The sun was up and the birds sang. '.repeat(23).trim();
  const request: Completion = { prompt, maxTokens: 50, seed: 1, truncate: 'left' };
  const prefix = ((await model.countTokens(prompt)) as number) + 1;
  const run = await ratios(
    15,
    () => seconds(() => textOf(model, { ...request, n: 3 })),
    () => seconds(() => textOf(model, { ...request, n: 1 })),
  );
  return {
    name: `three siblings of 50 tokens after a ${prefix}-token prefix ÷ one`,
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
      divergences.push(divergence(wanted, found, weights.tokens.met));
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

function divergence(wanted: Float32Array, { met: scores, unmet }: Scores, met: Int32Array): number {
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

async function seconds(work: () => unknown): Promise<number> {
  const start = performance.now();
  await work();
  return (performance.now() - start) / 1000;
}
