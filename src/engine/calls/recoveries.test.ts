import { expect, test } from 'vitest';
import { refuse } from '../../core/refusal.ts';
import type { Time } from '../../models/resilience/time.ts';
import { askWithRetry } from '../ask/retry.ts';
import type { CallReply } from './calls.ts';
import { createRecoveries } from './recoveries.ts';

/** Nothing happens by itself here. */
const stoppedTime: Time = {
  now: () => 0,
  wait: (_, signal) => new Promise((resolve) => signal?.addEventListener('abort', () => resolve(), { once: true })),
};
const fault = { again: true, passes: true };
const down = refuse('model_unavailable', 'Nothing answers.', { model: 'm', fault });
const reply = { model: 'm' } as CallReply;

test('[D31] each answer of a model lets one waiting request through at once', async () => {
  const recoveries = createRecoveries();
  const requests: string[] = [];
  const asking = ['a', 'b'].map((name) => {
    let tries = 0;
    const waiting = Promise.withResolvers<void>();
    const patience = {
      time: stoppedTime,
      signal: new AbortController().signal,
      onWait: async (_: unknown, ms: number) => ms,
    };
    const ask = async () => {
      requests.push(name);
      if (tries++ > 0) return reply;
      queueMicrotask(() => setImmediate(waiting.resolve));
      return down;
    };
    return { waiting: waiting.promise, answered: askWithRetry(ask, patience, recoveries) };
  });
  const [a, b] = asking as [(typeof asking)[0], (typeof asking)[0]];
  await Promise.all([a.waiting, b.waiting]);
  recoveries.notifyAnswer('other');
  recoveries.notifyAnswer('m');
  expect(await a.answered).toMatchObject({ reply: reply });
  expect(requests).toEqual(['a', 'b', 'a']);
  recoveries.notifyAnswer('m');
  expect(await b.answered).toMatchObject({ reply: reply });
});
