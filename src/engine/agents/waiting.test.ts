import { afterEach, describe, expect, test } from 'vitest';
import { type FakeStep, startFakeModels } from '../../../test/support/models/fake-models.ts';
import { createNight } from '../../../test/support/models/night.ts';
import { openRemoteEngine } from '../../../test/support/servers/remote-engine.ts';
import type { ThreadState } from '../../core/threads/state.ts';
import { viewThread } from '../../core/threads/view/view.ts';

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** A thread in which "wise" was just invited, and so asked. */
async function openThread(...steps: readonly FakeStep[]) {
  const night = createNight();
  const models = await startFakeModels();
  models.script(...steps);
  closing.push(models.close);
  const server = await openRemoteEngine(models.openAiUrl, { night, retries: 0 });
  closing.push(server.close);
  const thread = await server.create('conversation');
  const readWakes = async () => {
    const state = (await server.engine.state(thread))?.state.thread as ThreadState;
    return viewThread(state, new Date(night.now()).toISOString()).wakes;
  };
  const eventsOfType = async (type: string) => (await server.events(thread)).filter((event) => event.type === type);
  const until = (type: string) => night.until(async () => (await eventsOfType(type)).length > 0);
  return { models, server, thread, wakes: readWakes, of: eventsOfType, until };
}

const answer: FakeStep = { text: 'Here I am.' };
const rateLimit = (seconds?: number): FakeStep => ({
  fault: 'rate_limited',
  ...(seconds !== undefined && { retry_after: seconds }),
});

describe('an agent waiting for its model', () => {
  test('[T31] at a rate limit it waits as long as the provider asks, and says so', async () => {
    const { server, thread, models, wakes, of, until } = await openThread(rateLimit(90), answer);
    await until('wake.waiting');
    const why = 'The model "far" is rate-limited (429): Too many requests.';
    const [event] = await of('wake.waiting');
    const { until: next } = (event?.content ?? {}) as { until: string };
    expect(event).toMatchObject({
      from: 'system',
      content: { participant: 'wise', why },
      meta: { blobs: [expect.any(String)] },
    });
    expect((Date.parse(next) - Date.parse(event?.ts ?? '')) / 1000).toBe(90);
    expect(await wakes()).toMatchObject([{ participant: 'wise', waiting: { why, until: next } }]);
    expect(server.engine.presence.of(thread)).toMatchObject([{ participant: 'wise', state: 'listening' }]);
    await until('message');
    expect(await of('message')).toMatchObject([{ from: 'wise', content: 'Here I am.' }]);
    expect([await wakes(), models.requests.length]).toEqual([[], 2]);
  });

  test.each([
    ['an overloaded provider', { fault: 'server_error', status: 529, message: 'Overloaded.' }],
    ['a server that restarts', { fault: 'server_error', status: 503 }],
    ['a connection that is lost', { write: async (response) => void response.destroy() }],
  ] as const satisfies readonly (readonly [string, FakeStep])[])(
    '[T31] after %s it waits a little longer each time',
    async (_, fault) => {
      const { of, until, models } = await openThread(fault, fault, fault, answer);
      await until('message');
      const waits = (await of('wake.waiting')).map(({ ts, content }) => {
        return (Date.parse((content as { until: string }).until) - Date.parse(ts)) / 1000;
      });
      expect(waits.map((seconds, i) => seconds >= 2.5 * 2 ** i && seconds <= 5 * 2 ** i)).toEqual([true, true, true]);
      expect(models.requests).toHaveLength(4);
    },
  );

  test('[T31] it waits for at most ten minutes and then says why it gives up', async () => {
    const { of, until } = await openThread({ fault: 'server_error', status: 503, repeat: 'always' });
    await until('wake.closed');
    expect(await of('wake.closed')).toMatchObject([
      {
        content: {
          outcome: 'failed',
          reason: expect.stringMatching(/failed \(503\).* An agent waits 10 minutes at most: ask it to reply/),
        },
      },
    ]);
    const waits = await of('wake.waiting');
    const { until: last = '' } = (waits.at(-1)?.content ?? {}) as { until?: string };
    const minutesTo = (ts = '') => (Date.parse(ts) - Date.parse(waits[0]?.ts ?? '')) / 60_000;
    expect(minutesTo((await of('wake.closed'))[0]?.ts)).toBeGreaterThanOrEqual(9.9);
    expect(minutesTo(last)).toBeLessThan(10.1);
  });

  test('[T31] it does not wait at all if that would take longer', async () => {
    const { of, until, models } = await openThread(rateLimit(3600));
    await until('wake.closed');
    expect(await of('wake.closed')).toMatchObject([
      { content: { outcome: 'failed', reason: expect.stringMatching(/An agent waits 10 min/) } },
    ]);
    expect([models.requests.length, await of('wake.waiting')]).toEqual([1, []]);
  });

  test.each([
    ['stop', 'stop_answer', { participant: 'wise' }],
    ['mute', 'post', { type: 'control', content: { mute: { targets: ['wise'], mode: 'hard' } } }],
    ['pause', 'post', { type: 'control', content: { pause: { on: true } } }],
  ] as const)('[T31] it waits until a %s', async (_, name, input) => {
    const { server, thread, until, models, of } = await openThread(rateLimit(300), answer);
    await until('wake.waiting');
    expect(await server.send(name, { thread, ...input })).not.toHaveProperty('code');
    await server.engine.close();
    expect([models.requests.length, await of('message')]).toEqual([1, []]);
  });

  test.each([
    ['a used-up quota', { fault: 'server_error', status: 402, message: 'Insufficient credits.' }],
    ['a refused key', { fault: 'server_error', status: 401 }],
    ['an unknown model', { fault: 'unknown_model' }],
  ] as const)('[T31] it does not wait after %s', async (_, fault) => {
    const { of, until, models } = await openThread(fault);
    await until('wake.closed');
    const [closed] = await of('wake.closed');
    expect(closed?.content).toMatchObject({ outcome: 'failed' });
    expect(JSON.stringify(closed)).not.toContain('An agent waits');
    expect([models.requests.length, await of('wake.waiting')]).toEqual([1, []]);
  });
});
