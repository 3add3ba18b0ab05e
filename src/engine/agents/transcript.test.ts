import { expect, test } from 'vitest';
import { openAgentServer, say, threadWith } from '../../../test/support/agents.ts';
import { human } from '../../../test/support/given.ts';
import { eventOf } from '../../log/event-log.ts';
import type { Asked } from './coordinator.ts';
import { spokenTo } from './transcript.ts';

test('[T18] [M3] whoever is woken without a word, by an invitation, is told what was said last', async () => {
  const server = await openAgentServer({ scripts: { alpha: { answers: [] }, beta: { answers: [] } } });
  const { engine } = server;
  const thread = await threadWith(engine, ['alpha', { client: 'model', model: 'alpha' }]);
  const told = async () => {
    const events = (await engine.log.readThread(thread, 0, 100)).map(eventOf);
    const { id, seq } = events.findLast(({ type }) => type === 'control') as (typeof events)[number];
    const state = (await engine.state(thread))?.state;
    return spokenTo(engine.log, { thread, seq, event: id, participant: 'alpha', state } as Asked);
  };
  expect(await told()).toBe((await engine.state(thread))?.state.thread.title);
  await engine.handle(human, say(thread, 'A frog sat by the pond.'));
  const invite = { participant_id: 'beta', profile: { client: 'model', model: 'beta' } };
  await engine.handle(human, { name: 'post', input: { thread, type: 'control', content: { invite } } } as never);
  await engine.handle(human, say(thread, 'This was said later.'));
  expect(await told()).toBe('A frog sat by the pond.');
  await server.close();
});
