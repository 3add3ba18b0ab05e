import { afterEach, beforeEach, expect, test } from 'vitest';
import { openTestServer, type TestServer } from '../../../../test/support/servers/server.ts';
import { createThreadState } from './thread-state.ts';

let server: TestServer;
beforeEach(async () => {
  server = await openTestServer({ now: () => Date.parse('2026-05-01T10:00:00Z') });
});
afterEach(() => server.close());

test('[I11] the state that the page folds on is the one that the server would tell, after every event', async () => {
  const { thread } = await server.client().threads.create({ title: 'T', invite: [{ participant_id: 'alpha' }] });
  const [human, agent] = [server.client().thread(thread.id), server.client(server.agent).thread(thread.id)];
  const page = createThreadState(human);
  let seq = await page.load();
  const steps: (() => Promise<unknown>)[] = [
    () => human.post({ type: 'message', content: '@alpha, are you there?' }),
    () => agent.post({ type: 'message', to: 'ada', content: 'I am.' }),
    () => human.post({ type: 'control', content: { mute: { targets: ['alpha'], mode: 'soft' } } }),
    () => human.post({ type: 'control', content: { unmute: { targets: ['alpha'] } } }),
    () => human.post({ type: 'task', to: 'alpha', content: 'Water the beans' }),
    () => agent.command('draft', { text: 'A draft' }),
    () => human.command('draft_accept', { index: 1 }),
    () => human.post({ type: 'control', content: { ttl_seconds: 60 } }),
    () => human.post({ type: 'control', content: { pause: { on: true } } }),
    () => human.command('side_open', { question: 'Why?', members: ['alpha'] }),
    () => human.post({ type: 'control', content: { done: true } }),
  ];
  for (const step of steps) {
    await step();
    // From an earlier one: an event that is in the state already changes nothing.
    const { events } = await human.events({ after: `t1.${Math.max(0, seq - 1).toString(36)}` });
    page.apply(events);
    seq = events.at(-1)?.seq ?? seq;
    const { ttl_remaining, ...shown } = page.state.get() ?? {};
    const { ttl_remaining: told, ...expected } = (await human.state()).state;
    expect(shown).toEqual(expected);
    expect(ttl_remaining === undefined).toBe(told === undefined);
  }
  expect(page.deadline.get()).toBeGreaterThan(Date.now() + 50_000);
});
