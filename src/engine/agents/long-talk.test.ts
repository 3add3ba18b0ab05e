import { expect, onTestFinished, test } from 'vitest';
import { human } from '../../../test/support/domain/given.ts';
import {
  messagesOf,
  openAgentServer,
  say,
  threadWith,
  waitForQuiet,
  wakeOutcomes,
} from '../../../test/support/servers/agent-server.ts';
import { readEvents } from '../../../test/support/servers/engine-access.ts';
import { WAKE_LIMITS } from '../../core/threads/policy/policy.ts';
import { beginReplay, replayEvent } from '../../core/threads/policy/replay.ts';
import type { Command } from '../../core/workspace.ts';

const TURNS = 200;

test('[T16] [T17] two agents and a person stay within their budgets over 200 turns, and every message is explained', async () => {
  const eagerScript = (other: string) => ({
    answers: [{ text: `@${other}, I have another idea. And you?`, repeat: 'always' }],
  });
  const server = await openAgentServer({ scripts: { alpha: eagerScript('beta'), beta: eagerScript('alpha') } });
  onTestFinished(server.close);
  const { engine } = server;
  const agents = ['alpha', 'beta'];
  const thread = await threadWith(
    engine,
    ...agents.map((id) => [id, { client: 'model', model: id }] as [string, object]),
  );
  const control = (content: object) =>
    engine.handle(human, { name: 'post', input: { thread, type: 'control', content } } as Command);
  await control({ discussion: { on: true } });
  engine.startWork();
  let turns = 0;
  for (let messages = 0; messages < TURNS; turns++) {
    if (turns % 5 === 4) await control({ continue: true });
    else await engine.handle(human, say(thread, `Question ${turns}?`, turns % 3 === 0 ? { to: 'alpha' } : {}));
    await waitForQuiet(engine, thread);
    messages = messagesOf(await readEvents(engine, thread)).length;
  }

  // No runaway: what agents cause ends by itself, and a person was needed for every few of their words.
  const events = await readEvents(engine, thread);
  const byAgents = messagesOf(events).filter((line) => !line.startsWith('ana')).length;
  expect(byAgents / turns).toBeLessThanOrEqual(WAKE_LIMITS.wakes + agents.length);

  // Every message explained, each agent's lot decided with a reason; within the budgets of each human message.
  let replay = beginReplay(thread, {});
  for (const event of events) {
    const step = replayEvent(replay, event);
    replay = step.replay;
    if (event.type !== 'message') continue;
    const others = agents.filter((id) => id !== event.from);
    expect(step.deliveries?.was.map(({ participant }) => participant)).toEqual(others);
    for (const { reason, code } of step.deliveries?.was ?? []) expect(`${code}: ${reason}`).toMatch(/^\w+: .{8,}/);
    for (const { wakes, each } of replay.was.routing.spent) {
      expect(wakes).toBeLessThanOrEqual(WAKE_LIMITS.wakes);
      for (const count of Object.values(each)) expect(count).toBeLessThanOrEqual(WAKE_LIMITS.each);
    }
  }
  expect(wakeOutcomes(events).every((each) => (each as { outcome: string }).outcome === 'answered')).toBe(true);

  // Out of tokens, nobody is asked any more, and the thread says why.
  await control({ budget: { tokens: 1 } });
  await engine.handle(human, say(thread, 'One more?'));
  await waitForQuiet(engine, thread);
  const more = (await readEvents(engine, thread)).slice(events.length);
  expect(messagesOf(more)).toEqual(['ana: One more?']);
  for (const outcome of wakeOutcomes(more))
    expect(outcome).toMatchObject({
      outcome: 'failed',
      reason: expect.stringContaining('The budget of this thread is used up'),
    });
  expect(wakeOutcomes(more)).toHaveLength(2);
}, 120_000);
