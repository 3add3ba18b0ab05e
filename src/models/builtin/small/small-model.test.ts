import { readdirSync, readFileSync } from 'node:fs';
import { getPriority } from 'node:os';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { FETCH_MS, storiesFile } from '../../../../test/support/models/weights.ts';
import { fuzzRuns, seeded } from '../../../../test/support/random.ts';
import type { Chunk, Completion, DoneChunk, FramePart, Model, TextChunk } from '../../model.ts';
import { openSmallModel } from './small-model.ts';

const quoted = { maxTokens: 12, stop: ['"', '\n'] };
/** What a mind answers: the model reads a story in its place. */
const MIND: readonly FramePart[] = [
  { write: 'thoughts:\n  - |\n    ', read: '\nTim thought, "' },
  { ...quoted },
  { write: '\n  - |\n    ', read: '" He also thought, "' },
  { ...quoted },
  { write: '\ndraft: |\n  ', read: '" Then Tim said:\n' },
  { maxTokens: 24, lineBreak: '\n  ' },
  { write: '\n', read: '' },
];
const NASTY = [
  ...[
    'Anna asked Tim, "What is a cloud?"',
    '"',
    '\n',
    '\r\n',
    '\t',
    '---',
    '...',
    '- |',
    'draft: |',
    '#',
    ': ',
    '&a',
    '*a',
  ],
  ...[
    '\0',
    '\u0085',
    '\u2028',
    '\ufeff',
    '雲',
    '🎉',
    '    ',
    '%YAML',
    '{{',
    ']]',
    '!!binary',
    '<<:',
    'The sun was up. '.repeat(30),
  ],
];

let model: Model;

beforeAll(async () => {
  await storiesFile();
  model = openSmallModel({ threads: 1 });
}, FETCH_MS);
afterAll(() => model.close());

describe('[M3] the embedded model', () => {
  test('[M3] the model continues a text token by token and reports its usage', async () => {
    const chunks = await readAll(
      model.complete({ prompt: 'Once upon a time', temperature: 0, maxTokens: 10, seed: 4 }),
    );
    expect(textOf(chunks)).toBe(', there was a little girl named Lily.');
    expect(chunks.filter(({ type }) => type === 'text').length).toBeGreaterThan(5);
    expect(chunks.slice(-2)).toEqual([
      { type: 'end', choice: 0, reason: 'length' },
      { type: 'done', usage: { promptTokens: 5, generatedTokens: 10 }, seed: 4, dropped: 0 },
    ]);
  });

  test('[M3] the model says what it can do, and that it is small', () => {
    expect(model.capabilities).toEqual({
      label: 'small',
      context: 256,
      n: 16,
      logprobs: 20,
      streaming: true,
      fillInTheMiddle: false,
      frame: true,
    });
  });

  test('[M3] the same seed gives the same choices: alone or in a batch, on one thread or three, now or later', async () => {
    const request = { prompt: 'The dog and the cat', maxTokens: 20, seed: 99, temperature: 1.2, topP: 0.95 };
    const expected = textsOf(await readAll(model.complete({ ...request, n: 3 })));
    expect(new Set(expected).size).toBe(3);
    expect(textsOf(await readAll(model.complete(request)))).toEqual(expected.slice(0, 1));
    const many = openSmallModel({ threads: 3 });
    const others = [1, 2, 3].map((seed) => readAll(many.complete({ prompt: 'A bird', seed, n: 2, maxTokens: 30 })));
    const concurrent = [request, request].map((one) => readAll(many.complete({ ...one, n: 4 })).then(textsOf));
    for (const texts of await Promise.all(concurrent)) expect(texts.slice(0, 3)).toEqual(expected);
    await Promise.all(others);
    await many.close();
  });

  test('[M3] without a seed one is drawn and reported, so that the text can be reproduced', async () => {
    const request = { prompt: 'Lily saw', maxTokens: 12 };
    const first = await readAll(model.complete(request));
    const { seed } = first.at(-1) as DoneChunk;
    expect(textOf(await readAll(model.complete({ ...request, seed: seed as number })))).toBe(textOf(first));
    expect((await readAll(model.complete(request))).at(-1)).not.toMatchObject({ seed });
  });

  test('[M3] the text is the same without vector instructions', async () => {
    const plain = openSmallModel({ threads: 1, kernel: 'plain' });
    const request = { prompt: 'One day', maxTokens: 6, n: 2, seed: 5, logprobs: 2 };
    expect(await readAll(plain.complete(request))).toEqual(await readAll(model.complete(request)));
    await plain.close();
  });

  test('[M3] every token has its probability, and alternatives are ordered', async () => {
    const chunks = await readAll(model.complete({ prompt: 'The cat', maxTokens: 3, temperature: 0, logprobs: 3 }));
    const tokens = chunks.flatMap((chunk) => (chunk.type === 'text' ? (chunk.tokens ?? []) : []));
    expect(tokens.map(({ text }) => text).join('')).toBe(textOf(chunks));
    expect(tokens[0]).toEqual({
      text: ' was',
      logprob: expect.closeTo(-0.245, 2),
      alternatives: [
        { text: ' was', logprob: expect.closeTo(-0.245, 2) },
        { text: ' and', logprob: expect.closeTo(-2.885, 1) },
        { text: ' had', logprob: expect.closeTo(-3.722, 1) },
      ],
    });
  });

  test('[M3] the text ends before the first stop text', async () => {
    const request = { prompt: 'Once upon a time', temperature: 0, maxTokens: 50 };
    const chunks = await readAll(model.complete({ ...request, stop: [' named', '!!!'] }));
    expect(textOf(chunks)).toBe(', there was a little girl');
    expect(chunks.at(-2)).toEqual({ type: 'end', choice: 0, reason: 'stop' });
  });

  test('[M3] a space at the end of the prompt is part of it and not written again', async () => {
    const request = { temperature: 0, maxTokens: 10 };
    const [without, spaced] = await Promise.all(
      ['Once upon a', 'Once upon a '].map(async (prompt) =>
        textOf(await readAll(model.complete({ ...request, prompt }))),
      ),
    );
    expect(` ${spaced}`).toBe(without);
  });

  test('[M3] a cancelled request ends within a token and keeps its text', async () => {
    const controller = new AbortController();
    const chunks: Chunk[] = [];
    for await (const chunk of model.complete({ prompt: 'Once', maxTokens: 200, n: 2, seed: 1 }, controller.signal)) {
      chunks.push(chunk);
      if (chunks.length === 6) controller.abort();
    }
    expect(chunks.slice(-3)).toMatchObject([
      { type: 'end', choice: 0, reason: 'cancelled' },
      { type: 'end', choice: 1, reason: 'cancelled' },
      { type: 'done' },
    ]);
    const whole = textsOf(await readAll(model.complete({ prompt: 'Once', maxTokens: 200, n: 2, seed: 1 })));
    textsOf(chunks).forEach((text, choice) => {
      expect(whole[choice]?.startsWith(text)).toBe(true);
    });
    expect((chunks.at(-1) as DoneChunk).usage.generatedTokens).toBeLessThan(100);
  });

  test('[M3] a request cancelled before it starts, or abandoned halfway, does no more work', async () => {
    expect(await readAll(model.complete({ prompt: 'Once', n: 2 }, AbortSignal.abort()))).toEqual([
      { type: 'end', choice: 0, reason: 'cancelled' },
      { type: 'end', choice: 1, reason: 'cancelled' },
      { type: 'done', usage: { promptTokens: 0, generatedTokens: 0 }, dropped: 0 },
    ]);
    for await (const chunk of model.complete({ prompt: 'Once', maxTokens: 200 })) if (chunk.type === 'text') break;
    expect(textOf(await readAll(model.complete({ prompt: 'Once', temperature: 0, maxTokens: 2 })))).toBe(' upon a');
  });

  test('[M3] more requests than there is room for are all served', async () => {
    const requests = Array.from({ length: 9 }, (_, seed) => ({ prompt: 'Tom', maxTokens: 8, n: 7, seed }));
    const together = await Promise.all(requests.map((request) => readAll(model.complete(request))));
    expect(together.map((chunks) => textsOf(chunks).length)).toEqual(Array(9).fill(7));
    expect(textsOf(together[8] as Chunk[])).toEqual(textsOf(await readAll(model.complete(requests[8] as Completion))));
  });

  test('[M3] a prompt that is too long is refused with the numbers, or loses its beginning and says how much', async () => {
    const prompt = 'The sun was up. '.repeat(60);
    const tokens = 1 + ((await model.countTokens(prompt.trimEnd())) as number);
    expect(await readAll(model.complete({ prompt, maxTokens: 56 }))).toEqual([
      {
        type: 'refused',
        refusal: {
          code: 'context_too_small',
          message: expect.stringContaining('256'),
          context: 256,
          promptTokens: tokens,
          answerTokens: 56,
        },
      },
    ]);
    const chunks = await readAll(model.complete({ prompt, maxTokens: 56, truncate: 'left' }));
    expect(chunks.at(-1)).toMatchObject({ dropped: tokens - 200, usage: { promptTokens: 200 } });
  });

  test.each<[string, Partial<Completion>]>([
    ['"n" is 17', { n: 17 }],
    ['"temperature" is -1', { temperature: -1 }],
    ['"topP" is 0', { topP: 0 }],
    ['"topK" is 1.5', { topK: 1.5 }],
    ['"logprobs" is 21', { logprobs: 21 }],
    ['"seed" is -3', { seed: -3 }],
    ['"maxTokens"', { maxTokens: 0 }],
    ['stop text is empty', { stop: [''] }],
    ['no hole', { frame: [{ write: 'a' }] }],
    ['"suffix"', { suffix: 'b' }],
  ])('[M3] a bad request is refused with a message: %s', async (words, request) => {
    expect(await readAll(model.complete({ prompt: 'Once', ...request }))).toEqual([
      { type: 'refused', refusal: { code: 'malformed', message: expect.stringContaining(words) } },
    ]);
  });

  test('[M3] a lone surrogate is refused', async () => {
    expect(await readAll(model.complete({ prompt: 'a\ud800' }))).toMatchObject([
      { refusal: { code: 'unacceptable_text' } },
    ]);
  });

  test('[M3] a frame is copied and its holes are filled: always valid YAML for a mind', async () => {
    const seed = Math.floor(Math.random() * 2 ** 31);
    const random = seeded(seed);
    for (let run = 0; run < fuzzRuns(6); run++) {
      const prompt = Array.from({ length: random.below(30) }, () => random.pick(NASTY)).join(random.pick(['', ' ']));
      const [temperature, topP] = [random.pick([0, 0.8, 1, 3, 100]), random.pick([1, 0.9])];
      const request = { frame: MIND, n: 2, seed: random.below(1e9), temperature, topP };
      const chunks =
        run % 2 === 0
          ? await readAll(model.complete({ ...request, prompt, truncate: 'left' }))
          : await readAll(model.chat({ ...request, messages: [{ role: 'user', content: prompt }] }));
      expect(chunks.at(-1), `seed ${seed}, run ${run}`).toMatchObject({ type: 'done' });
      for (const text of textsOf(chunks)) {
        const why = `seed ${seed}, run ${run}: ${JSON.stringify(text)}`;
        const answer = parse(text) as { thoughts: string[]; draft: string };
        expect(Object.keys(answer), why).toEqual(['thoughts', 'draft']);
        expect(answer.thoughts, why).toEqual([expect.stringMatching(/\S/), expect.stringMatching(/\S/)]);
        expect(answer.draft, why).toMatch(/\S/);
      }
      const own = chunks.filter((chunk): chunk is TextChunk => chunk.type === 'text' && !chunk.framed);
      expect(own.map(({ text }) => text).join('')).not.toMatch(/[\p{Cc}--\n]/v);
    }
  });

  test('[M3] a conversation is answered with one line of speech', async () => {
    const messages = [{ role: 'user', content: 'What is a "cloud"?' } as const];
    const chunks = await readAll(model.chat({ messages, seed: 1, topP: 0.9 }));
    expect(textOf(chunks)).toMatch(/\w/);
    expect(textOf(chunks)).not.toContain('"');
    expect(chunks.at(-1)).toMatchObject({ type: 'done', dropped: 0 });
  });

  test('[M3] a conversation of any length is answered, and the answer says how much was not read', async () => {
    const rules = { role: 'system', content: 'Be kind and answer in YAML. '.repeat(400) } as const;
    const messages = [rules, { role: 'user', content: 'What is a cloud?' } as const];
    const unread = (await model.countTokens(rules.content)) as number;
    const last = (await readAll(model.chat({ messages, maxTokens: 4000, seed: 1 }))).at(-1) as DoneChunk;
    expect(last).toMatchObject({ type: 'done', dropped: unread });
    const foreign = [{ role: 'user', content: '雲とは何ですか。'.repeat(500) } as const];
    expect((await readAll(model.chat({ messages: foreign, maxTokens: 300 }))).at(-1)).toMatchObject({ type: 'done' });
  });

  test('[M3] if the beginning of a prompt may be dropped, there is always an answer', async () => {
    for (const prompt of ['', 'Once', 'The sun was up. '.repeat(60), '雲'.repeat(300)]) {
      for (const maxTokens of [1, 255, 256, 100_000]) {
        const [first, ...rest] = await readAll(
          model.complete({ prompt, maxTokens, truncate: 'left', stop: ['.'], temperature: 0 }),
        );
        expect([first, ...rest].at(-1)).toMatchObject({ type: 'done' });
      }
    }
  });

  test.runIf(process.platform === 'linux')('[M3] only the model’s thread yields to others', async () => {
    await model.countTokens('Once');
    // The 19th field of a thread's line, counted from behind its name: how readily it gives way.
    const nice = readdirSync('/proc/self/task').map((thread) => {
      const line = readFileSync(`/proc/self/task/${thread}/stat`, 'utf8');
      return Number(line.slice(line.lastIndexOf(')') + 2).split(' ')[16]);
    });
    expect(nice.filter((value) => value === Math.min(getPriority() + 5, 19))).not.toEqual([]);
    expect(nice.filter((value) => value === getPriority()).length).toBeGreaterThan(1);
  });

  test('[M3] a closed model is loaded again when it is used again', async () => {
    const other = openSmallModel({ threads: 1 });
    const running = readAll(other.complete({ prompt: 'Once', maxTokens: 200 }));
    expect(await other.countTokens('Once upon a time')).toBe(4);
    await other.close();
    expect((await running).at(-1)).toMatchObject({ type: 'refused', refusal: { code: 'model_unavailable' } });
    expect(textOf(await readAll(other.complete({ prompt: 'Once', temperature: 0, maxTokens: 2 })))).toBe(' upon a');
    await other.close();
  });
});

async function readAll(stream: AsyncIterable<Chunk>): Promise<Chunk[]> {
  const chunks: Chunk[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return chunks;
}

function textsOf(chunks: readonly Chunk[]): string[] {
  const texts: string[] = [];
  for (const chunk of chunks) if (chunk.type === 'text') texts[chunk.choice] = (texts[chunk.choice] ?? '') + chunk.text;
  return texts;
}

function textOf(chunks: readonly Chunk[]): string {
  return textsOf(chunks)[0] ?? '';
}
