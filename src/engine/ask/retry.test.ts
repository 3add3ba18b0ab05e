import { afterEach, describe, expect, test } from 'vitest';
import { type FakeStep, startFakeModels } from '../../../test/support/models/fake-models.ts';
import { createNight } from '../../../test/support/models/night.ts';
import { openRemoteEngine } from '../../../test/support/servers/remote-engine.ts';
import type { Event } from '../../core/events/event.ts';

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

type RemoteEngine = Awaited<ReturnType<typeof openRemoteEngine>>;
const answer: FakeStep = { text: 'thoughts: []\ndraft: Here I am.' };

async function openDialogue(steps: readonly FakeStep[], options: Parameters<typeof openRemoteEngine>[1] = {}) {
  const night = createNight();
  const models = await startFakeModels();
  models.script(...steps);
  closing.push(models.close);
  const server = await openRemoteEngine(models.openAiUrl, { night, ...options });
  closing.push(server.close);
  const thread = await server.create('dialogue');
  const isRunOver = async () => (await server.dialogue(thread)).run?.state !== 'running';
  return { night, models, server, thread, untilOver: () => night.until(isRunOver) };
}

async function waitsOf(server: RemoteEngine, thread: string) {
  const events = (await server.events(thread)).filter(({ type }) => type === 'run.waiting');
  return events.map(({ ts, content, meta }) => {
    const { until, why } = content as { until: string; why: string };
    return { seconds: (Date.parse(until) - Date.parse(ts)) / 1000, why, blobs: meta.blobs?.length };
  });
}

const message = { text: 'Hi', run: { iterations: 1 } };

describe('temporary errors are waited out', () => {
  test('[D31] a run waits at a rate limit for as long as the provider asks', async () => {
    const { server, thread, untilOver } = await openDialogue([{ fault: 'rate_limited', retry_after: 700 }, answer]);
    await server.send('message', { thread, ...message });
    await untilOver();
    expect(await waitsOf(server, thread)).toEqual([
      {
        seconds: 700,
        why: 'The model "far" is rate-limited (429): Too many requests.',
        blobs: 1,
      },
    ]);
    const { run, iterations } = await server.dialogue(thread);
    expect(run).toMatchObject({ state: 'ended', reason: 'done', done: 1 });
    expect(iterations.at(0)?.content.outcome).toBe('draft');
  });

  test('[D31] of an answer that broke off, what had arrived is recorded with the wait', async () => {
    const cut = { text: 'thoughts: [one]\ndraft: The lake at dawn is grey', fault: 'cut', after: 5 } as const;
    const { server, thread, untilOver } = await openDialogue([cut, answer]);
    await server.send('message', { thread, ...message });
    await untilOver();
    const [wait] = (await server.events(thread)).filter(({ type }) => type === 'run.waiting');
    expect(wait?.content).toMatchObject({ partial: 'thoughts: [one]\ndraft: The lake' });
  });

  test('[D31] a run records even a short wait instead of blocking the call', async () => {
    const { server, thread, models, untilOver } = await openDialogue([
      { fault: 'rate_limited', retry_after: 20 },
      answer,
    ]);
    await server.send('message', { thread, ...message });
    await untilOver();
    expect((await waitsOf(server, thread)).map(({ seconds }) => seconds)).toEqual([20]);
    expect(models.requests.length).toBe(2);
  });

  test.each([
    ['an overloaded provider', { fault: 'server_error', status: 529, message: 'Overloaded.' }],
    ['a server that restarts', { fault: 'server_error', status: 503 }],
    ['a proxy with nothing behind it', { fault: 'web_page' }],
    ['a connection that is lost half-way', { text: 'thoughts: [a]', fault: 'cut', after: 1 }],
  ] as const)('[D31] after %s a run waits a little longer each time', async (_, fault) => {
    const { server, thread, models, untilOver } = await openDialogue([fault, fault, fault, answer], { retries: 0 });
    await server.send('message', { thread, ...message });
    await untilOver();
    const waits = (await waitsOf(server, thread)).map(({ seconds }) => seconds);
    expect(waits.map((seconds, i) => seconds >= 2.5 * 2 ** i && seconds <= 5 * 2 ** i)).toEqual([true, true, true]);
    expect(models.requests.length).toBe(4);
    expect((await server.dialogue(thread)).run).toMatchObject({ reason: 'done', done: 1 });
  });

  test.each(['0', '0.001', '-5'])(
    '[D31] a run waits longer each time from the third attempt on when a server says Retry-After: %s',
    async (after) => {
      const refuse: FakeStep = {
        write: async (response) => void response.writeHead(429, { 'retry-after': after }).end('{}'),
      };
      const steps = Array.from({ length: 6 }, () => refuse);
      const { server, thread, untilOver } = await openDialogue([...steps, answer], { retries: 0 });
      await server.send('message', { thread, ...message });
      await untilOver();
      const waits = (await waitsOf(server, thread)).map(({ seconds }) => seconds);
      expect(waits).toHaveLength(6);
      for (const [i, seconds] of waits.slice(2).entries()) expect(seconds).toBeGreaterThanOrEqual(10 * 2 ** i);
      expect((await server.dialogue(thread)).run).toMatchObject({ reason: 'done', done: 1 });
    },
  );

  test('[D31] a run waits for our own circuit breaker until it lets a request through', async () => {
    const down: FakeStep = { fault: 'server_error' };
    const breaker = { failures: 2, coolMs: 90_000 };
    const { server, thread, models, untilOver } = await openDialogue([down, down, answer], { retries: 0, breaker });
    await server.send('message', { thread, ...message });
    await untilOver();
    const waits = await waitsOf(server, thread);
    expect(waits.at(-1)?.why).toMatch(/^The model "far" failed 2 times in a row\. Last failure: /);
    expect(waits.every(({ why }) => !/try again/i.test(why))).toBe(true);
    expect(waits.at(-1)?.seconds).toBeGreaterThan(20);
    expect(models.requests.length).toBe(3);
    expect((await server.dialogue(thread)).run).toMatchObject({ reason: 'done', done: 1 });
  });

  test('[D31] a run continues as soon as the model answers somebody else', async () => {
    const models = await startFakeModels();
    closing.push(models.close);
    models.script({ fault: 'server_error' }, { text: 'Yes.' }, answer);
    // In real time: it would be left alone for longer than a test may take.
    const server = await openRemoteEngine(models.openAiUrl, {
      retries: 0,
      breaker: { failures: 1, coolMs: 3_600_000 },
    });
    closing.push(server.close);
    const thread = await server.create('dialogue');
    await server.send('message', { thread, ...message });
    await server.until(thread, async () => (await waitsOf(server, thread)).length === 2);
    const hello = { messages: [{ role: 'user' as const, content: 'Are you there?' }], evenIfResting: true as const };
    await server.models.calls.chat(hello, { model: 'far', purpose: 'test' });
    await server.until(thread, async () => (await server.dialogue(thread)).run?.state !== 'running');
    expect((await server.dialogue(thread)).run).toMatchObject({ reason: 'done', done: 1 });
  });

  test('[M13] a request held back by the breaker is not counted as a call', async () => {
    const down: FakeStep = { fault: 'server_error' };
    const breaker = { failures: 2, coolMs: 90_000 };
    const { server, thread, models, untilOver } = await openDialogue([down, down, answer], { retries: 0, breaker });
    await server.send('message', { thread, ...message });
    await untilOver();
    expect(await server.models.usage.of('workspace')).toMatchObject({ calls: models.requests.length, failures: 2 });
  });

  test('[D31] waiting for a server that is down leaves no trace of unpaid calls', async () => {
    const { night, server, thread, models } = await openDialogue([]);
    await models.close();
    await server.send('message', { thread, ...message });
    await night.until(async () => (await server.dialogue(thread)).run?.waiting !== undefined);
    expect((await server.dialogue(thread)).run?.waiting?.why).toContain('Nothing answers at 127.0.0.1');
    await server.send('stop_run', { thread });
    await server.engine.close();
    const types = (await server.events(thread)).map(({ type }) => type);
    expect(types.filter((type) => type.startsWith('iteration'))).toEqual([]);
    expect((await server.dialogue(thread)).run).toMatchObject({ state: 'ended', reason: 'stopped', done: 0 });
  });

  test('[D31] a run with a time limit waits no longer than that and then says why it is paused', async () => {
    const { server, thread, untilOver } = await openDialogue([
      { fault: 'rate_limited', retry_after: 3000, repeat: 'always' },
    ]);
    await server.send('message', { thread, text: 'Hi', run: { budget: { seconds: 600 } } });
    await untilOver();
    const { run, iterations } = await server.dialogue(thread);
    expect(run).toMatchObject({ state: 'paused', reason: 'budget', done: 0 });
    expect(run?.why).toMatch(/600 seconds is reached\. The model "far" is rate-limited/);
    expect(iterations.length).toBe(0);
    expect((await waitsOf(server, thread)).at(0)?.seconds).toBeLessThanOrEqual(600);
  });

  test('[D31] an answer that was paid for before the provider went down is not paid for again', async () => {
    const steps: FakeStep[] = [{ text: 'draft: [a list]' }, { fault: 'rate_limited', retry_after: 90 }, answer];
    const { server, thread, models, untilOver } = await openDialogue(steps);
    await server.send('message', { thread, ...message });
    await untilOver();
    expect(models.requests.map(({ body }) => body.messages?.length)).toEqual([2, 4, 4]);
    expect((await server.dialogue(thread)).iterations.at(0)?.content).toMatchObject({
      outcome: 'draft',
      repaired: true,
    });
  });
});

test('[D31] an audit that I request after the rounds waits as long as the provider asks, and says so', async () => {
  const limited: FakeStep = { fault: 'rate_limited', retry_after: 700 };
  const thought: FakeStep = { text: 'thoughts: [one]' };
  const { night, server, models } = await openDialogue([thought, limited, { text: 'All is well [#1].' }]);
  const budget = { seconds: 1 };
  const thread = await server.create('exchange', { minds: [{ id: 'left', model: null }], budget });
  await server.send('run', { thread, rounds: 1 });
  await night.until(async () => (await server.exchange(thread)).run?.state === 'ended');
  await server.send('audit_now', { thread });
  await night.until(async () => (await server.exchange(thread)).audits.length === 1);
  const waits = (await server.events(thread)).filter(({ type }) => type === 'rounds.waiting');
  expect(waits.map(({ content }) => content)).toMatchObject([{ audit: 1, why: expect.stringContaining('(429)') }]);
  const [{ ts, content }] = waits as [Event];
  expect((Date.parse((content as { until: string }).until) - Date.parse(ts)) / 1000).toBe(700);
  expect(models.requests).toHaveLength(3);
});

test.each(['stop_run', 'pause_run'] as const)(
  '[D31] an audit that I requested keeps waiting after %s, whatever time limit the rounds had',
  async (ends) => {
    const limited: FakeStep = { fault: 'rate_limited', retry_after: 700, repeat: 'always' };
    const { night, server, models } = await openDialogue([{ text: 'thoughts: [one]' }, limited]);
    const thread = await server.create('exchange', { minds: [{ id: 'left', model: null }], audit_every: 1 });
    const countWaits = async () => (await server.events(thread)).filter(({ type }) => type === 'rounds.waiting').length;
    await server.send('run', { thread, budget: { seconds: 60 } });
    await night.until(async () => (await countWaits()) > 0);
    await server.send('audit_now', { thread });
    await night.until(async () => models.requests.length >= 3);
    await server.send(ends, { thread });
    const anHourLater = night.now() + 3_600_000;
    await night.until(async () => night.now() > anHourLater || (await countWaits()) > 50);
    expect(await countWaits()).toBeLessThan(20);
  },
);

describe('a budget that is used up during a wait', () => {
  const limited: FakeStep = { fault: 'rate_limited', retry_after: 700 };
  const oneToken = (thread: string) => ({ thread, type: 'control', content: { budget: { tokens: 1 } } });

  test('[M7] [D31] it pauses the run of a mind, which is not asked again', async () => {
    const { night, server, thread, models, untilOver } = await openDialogue([limited, answer]);
    await server.send('message', { thread, ...message });
    await night.until(async () => (await waitsOf(server, thread)).length > 0);
    expect(await server.send('post', oneToken(thread))).not.toHaveProperty('code');
    await untilOver();
    const { run } = await server.dialogue(thread);
    expect(run).toMatchObject({ state: 'paused', reason: 'budget' });
    expect(run?.why).toContain('The budget of this thread');
    expect(models.requests).toHaveLength(1);
  });

  test('[M7] [D31] it pauses the rounds of an exchange', async () => {
    const { night, server, models } = await openDialogue([limited, answer]);
    const thread = await server.create('exchange', { minds: [{ id: 'left', model: null }] });
    await server.send('run', { thread, rounds: 1 });
    await night.until(async () => (await server.exchange(thread)).run?.waiting !== undefined);
    expect(await server.send('post', oneToken(thread))).not.toHaveProperty('code');
    await night.until(async () => (await server.exchange(thread)).run?.state !== 'running');
    expect((await server.exchange(thread)).run).toMatchObject({ state: 'paused', reason: 'budget' });
    expect(models.requests).toHaveLength(1);
  });
});

describe('permanent errors pause the run', () => {
  test.each([
    [
      'a used-up quota',
      { fault: 'server_error', status: 402, message: 'Insufficient credits.' },
      'Insufficient credits.',
    ],
    ['a refused key', { fault: 'server_error', status: 401 }, 'needs a key'],
    ['a forbidden key', { fault: 'server_error', status: 403 }, 'needs a key'],
    ['a refused request', { fault: 'server_error', status: 400, message: 'Bad "top_k".' }, 'Bad "top_k".'],
    ['an unknown model', { fault: 'unknown_model' }, 'has no model "big"'],
  ] as const)('[D31] %s pauses the run at once, with the full reason', async (_, fault, reason) => {
    const { server, thread, models, untilOver } = await openDialogue([fault]);
    await server.send('message', { thread, text: 'Hi', run: { iterations: 5 } });
    await untilOver();
    const { run } = await server.dialogue(thread);
    expect(run).toMatchObject({ state: 'paused', reason: 'refused', done: 1 });
    expect(run?.why).toContain(reason);
    expect(run?.why).toMatch(/Retrying will not help\.$/);
    expect(models.requests.length).toBe(1);
    expect(await waitsOf(server, thread)).toEqual([]);
  });
});

describe('the cost limit of a run on a priced model', () => {
  const price = { input: 0, output: 100_000 };
  const four: FakeStep = { text: 'thoughts: []\ndraft: one two three four', repeat: 'always' };
  const run = async (options: object, more: object = {}) => {
    const { server, thread, untilOver } = await openDialogue([four], { price, ...options });
    await server.send('message', { thread, text: 'Hi', run: { iterations: 9, ...more } });
    await untilOver();
    return (await server.dialogue(thread)).run;
  };

  test('[D31] it is one dollar by default', async () => {
    const paused = await run({});
    expect(paused).toMatchObject({ state: 'paused', reason: 'budget' });
    expect(paused?.why).toContain('The budget of this run is used up');
    expect(paused?.why).toContain('budgets.run.money');
    expect(paused?.spent.money).toBeGreaterThanOrEqual(1);
    expect(paused?.spent.money).toBeLessThan(3);
  });

  test('[D31] heddle.yaml or the run itself can change it', async () => {
    expect(await run({ budgets: { run: { money: 50 } } })).toMatchObject({ state: 'ended', reason: 'done', done: 9 });
    expect(await run({}, { budget: { money: 50 } })).toMatchObject({ state: 'ended', reason: 'done', done: 9 });
    expect(await run({}, { budget: { tokens: 100_000 } })).toMatchObject({ state: 'ended', done: 9 });
  });

  test('[D31] a model without a price has none', async () => {
    expect(await run({ price: undefined })).toMatchObject({ state: 'ended', done: 9 });
  });
});
