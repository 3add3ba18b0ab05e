import { expect, test } from 'vitest';
import { collect } from '../../../test/support/models/collect.ts';
import { createModelTime } from '../../../test/support/models/model-time.ts';
import type { Chunk, Model } from '../model.ts';
import { DEFAULT_TIMEOUTS } from '../remote/options.ts';
import type { ScriptedAnswerInput } from '../scripted/script.ts';
import { createScriptedModel } from '../scripted/scripted.ts';
import { createResilientModel } from './resilient-model.ts';

const ask = { messages: [{ role: 'user', content: 'Hi' }] } as const;
const scriptedModel = (...answers: ScriptedAnswerInput[]) => createScriptedModel({ id: 'it', script: { answers } });
const down: ScriptedAnswerInput = { fault: 'server_error', repeat: 'always' };

test('[M6] retry delays grow and are spread, so that failed requests do not return together', async () => {
  const pauses = async (random: number) => {
    const time = createModelTime();
    await collect(createResilientModel(scriptedModel(down), { ...time, retries: 4, random: () => random }).chat(ask));
    return time.pauses;
  };
  expect(await pauses(0)).toEqual([250, 500, 1000, 2000]);
  expect(await pauses(1)).toEqual([500, 1000, 2000, 4000]);
});

test('[M6] the breaker opens, lets one request through after a while and closes again', async () => {
  const time = createModelTime();
  const model = createResilientModel(
    scriptedModel({ fault: 'server_error', repeat: 4 }, { text: 'Back.', repeat: 'always' }),
    {
      ...time,
      retries: 0,
      breaker: { failures: 3, coolMs: 10_000 },
    },
  );
  for (let i = 0; i < 3; i++) await collect(model.chat(ask));
  expect(model.health()).toMatchObject({ state: 'open', failures: 3, last: expect.stringContaining('failed (500)') });

  const skipped = await collect(model.chat(ask));
  expect(skipped.refused?.refusal).toMatchObject({
    code: 'model_unavailable',
    message: expect.stringMatching(
      /^The model "it" failed 3 times in a row\. Last failure: The model "it" failed \(500\).* Try again in 10 s\.$/,
    ),
  });

  time.pass(10_000);
  expect(model.health().state).toBe('half-open');
  expect((await collect(model.chat(ask))).refused?.refusal.message).toContain('failed (500)');
  expect(model.health().state).toBe('open');

  time.pass(10_000);
  expect((await collect(model.chat(ask))).texts).toEqual(['Back.']);
  expect(model.health()).toEqual({ state: 'closed', failures: 0 });
});

test('[M6] a resting model is reported with one time: when it is tried again', async () => {
  const time = createModelTime();
  const model = createResilientModel(scriptedModel({ fault: 'rate_limited', retry_after: 60 }), {
    ...time,
    retries: 0,
    breaker: { failures: 1, coolMs: 30_000 },
  });
  expect((await collect(model.chat(ask))).refused?.refusal.message).toContain('Try again in 60 s.');
  time.pass(9_000);
  const { message = '' } = (await collect(model.chat(ask))).refused?.refusal ?? {};
  expect(message).toMatch(/^The model "it" failed once\. Last failure: .* Try again in 21 s\.$/);
  expect(message.match(/\d+ s\b/g)).toEqual(['21 s']);
});

test('[M6] while one request probes a model, the others do not wait for it', async () => {
  const time = createModelTime();
  const model = createResilientModel(scriptedModel({ fault: 'server_error' }, { text: 'a b' }), {
    ...time,
    retries: 0,
    breaker: { failures: 1, coolMs: 1 },
  });
  await collect(model.chat(ask));
  time.pass(1);
  const trial = model.chat(ask)[Symbol.asyncIterator]();
  await trial.next();
  expect((await collect(model.chat(ask))).refused?.refusal.message).toContain('Try again in');
  await trial.return?.();
  expect(model.health().state).toBe('half-open');
});

test('[M14] a test asks a resting model; success ends the rest, and failure does not extend it', async () => {
  const time = createModelTime();
  const model = createResilientModel(
    scriptedModel({ fault: 'server_error', repeat: 2 }, { text: 'Back.', repeat: 'always' }),
    {
      ...time,
      retries: 0,
      breaker: { failures: 1, coolMs: 10_000 },
    },
  );
  await collect(model.chat(ask));
  const { until } = model.health();
  time.pass(5_000);
  expect((await collect(model.chat({ ...ask, evenIfResting: true }))).refused?.refusal.message).toContain('(500)');
  expect(model.health()).toMatchObject({ state: 'open', until });
  expect((await collect(model.chat({ ...ask, evenIfResting: true }))).texts).toEqual(['Back.']);
  expect(model.health()).toEqual({ state: 'closed', failures: 0 });
});

test('[M6] an open breaker stops retries in progress', async () => {
  const time = createModelTime();
  const model = createResilientModel(scriptedModel(down), {
    ...time,
    retries: 9,
    breaker: { failures: 2, coolMs: 1_000 },
  });
  expect((await collect(model.chat(ask))).refused?.refusal.message).toContain('failed (500)');
  expect(time.pauses).toHaveLength(1);
});

test('[M6] a bad request says nothing about the model’s health', async () => {
  const model = createResilientModel(scriptedModel({ fault: 'server_error', status: 400, repeat: 'always' }), {
    ...createModelTime(),
    breaker: { failures: 1, coolMs: 1_000 },
  });
  expect((await collect(model.chat(ask))).refused?.refusal.code).toBe('malformed');
  expect(model.health()).toEqual({ state: 'closed', failures: 0 });
});

test('[M6] all attempts together take no longer than the total time-out', async () => {
  const timeouts = { ...DEFAULT_TIMEOUTS, total: 100_000 };
  const time = createModelTime(timeouts);
  const model = createResilientModel(scriptedModel({ fault: 'rate_limited', retry_after: 40, repeat: 'always' }), {
    ...time,
    retries: 100,
    timeouts,
  });
  const { refused } = await collect(model.chat(ask));
  expect(refused?.refusal.code).toBe('rate_limited');
  expect(time.pauses).toEqual([40_000, 40_000]);
});

test('[M6] an endless answer stops at the total time-out', async () => {
  const timeouts = { ...DEFAULT_TIMEOUTS, firstToken: 200_000, total: 100_000 };
  const time = createModelTime(timeouts);
  time.strike('total');
  const { refused } = await collect(
    createResilientModel(scriptedModel({ text: 'a', fault: 'hang' }), { ...time, timeouts }).chat(ask),
  );
  expect(refused?.refusal.message).toMatch(/^The model "it" was not done after 100 s/);
});

test('[M6] a model that throws, stops silently or never ends still gives exactly one end', async () => {
  const time = createModelTime();
  const outcomeOf = async (stream: () => AsyncIterable<Chunk>) => {
    const model: Model = { ...scriptedModel(down), chat: stream };
    return (await collect(createResilientModel(model, time).chat(ask))).chunks.map((chunk) =>
      chunk.type === 'refused' ? chunk.refusal.message : chunk.type,
    );
  };
  const secret = new TypeError('key sk-secret');
  expect(await outcomeOf(() => failingStream(secret))).toEqual([
    'The model "it" broke (TypeError). Try again or choose another.',
  ]);
  expect(
    await outcomeOf(() => {
      throw secret;
    }),
  ).toEqual(['The model "it" broke (TypeError). Try again or choose another.']);
  expect(await outcomeOf(async function* () {})).toEqual([
    'The model "it" stopped without a reason. Try again or choose another.',
  ]);
  time.strike('firstToken');
  const endlessStream = () => ({ [Symbol.asyncIterator]: () => ({ next: () => new Promise<never>(() => {}) }) });
  expect(await outcomeOf(endlessStream)).toEqual([
    'The model "it" sent nothing for 120 s, so it was stopped. Try again or choose another.',
  ]);
});

test('[M6] cancelling works even if the model ignores it', async () => {
  const time = createModelTime();
  const endlessStream = () => ({ [Symbol.asyncIterator]: () => ({ next: () => new Promise<never>(() => {}) }) });
  const controller = new AbortController();
  const stream = collect(
    createResilientModel({ ...scriptedModel(down), chat: endlessStream }, time).chat(
      { ...ask, n: 2 },
      controller.signal,
    ),
  );
  controller.abort();
  expect((await stream).chunks.map((chunk) => chunk.type)).toEqual(['end', 'end', 'done']);
});

async function* failingStream(error: Error): AsyncGenerator<Chunk> {
  yield* [];
  throw error;
}
