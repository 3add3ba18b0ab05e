import { expect, test } from 'vitest';
import { human } from '../../../test/support/domain/given.ts';
import { openAgentServer, say, threadWith } from '../../../test/support/servers/agent-server.ts';
import type { Event } from '../../core/events/event.ts';
import { isRefusal } from '../../core/refusal.ts';
import { eventOf } from '../../log/event-log.ts';
import type { Invocation } from './coordinator.ts';
import { promptPartsFor, wakingText } from './transcript.ts';

test('[T18] [M3] an agent woken by an invitation reads the latest messages', async () => {
  const server = await openAgentServer({ scripts: { alpha: { answers: [] }, beta: { answers: [] } } });
  const { engine } = server;
  const thread = await threadWith(engine, ['alpha', { client: 'model', model: 'alpha' }]);
  const transcriptTexts = async () => {
    const events = (await engine.log.readThread(thread, 0, 100)).map(eventOf);
    const { id, seq } = events.findLast(({ type }) => type === 'control') as (typeof events)[number];
    const state = (await engine.state(thread))?.state;
    return wakingText(engine.log, { thread, seq, event: id, participant: 'alpha', state } as Invocation);
  };
  expect(await transcriptTexts()).toBe((await engine.state(thread))?.state.thread.title);
  await engine.handle(human, say(thread, 'A frog sat by the pond.'));
  const invite = { participant_id: 'beta', profile: { client: 'model', model: 'beta' } };
  await engine.handle(human, { name: 'post', input: { thread, type: 'control', content: { invite } } } as never);
  await engine.handle(human, say(thread, 'This was said later.'));
  expect(await transcriptTexts()).toBe('A frog sat by the pond.');
  await server.close();
});

test('[T18] an agent asked about a dialogue or a loom reads the texts there', async () => {
  const server = await openAgentServer({ scripts: { alpha: { answers: [] } } });
  const { engine } = server;
  const creation = { title: 'A text', kind: 'loom', setup: { text: 'It rained.' } } as const;
  const created = await engine.handle(human, { name: 'create', input: { ...creation, invite: [] } });
  if (isRefusal(created)) throw new Error(created.refusal.message);
  const thread = created.events[0]?.thread as string;
  const profile = { client: 'model', model: 'alpha' };
  const content = { invite: { participant_id: 'alpha', profile } };
  await engine.handle(human, { name: 'post', input: { thread, type: 'control', content } });
  await engine.handle(human, say(thread, '@alpha, is it too wet?'));
  const { state, seq } = (await engine.state(thread)) as NonNullable<Awaited<ReturnType<typeof engine.state>>>;
  const [asked] = (await engine.log.readThread(thread, seq - 1, 1)).map(eventOf) as [Event];
  const invocation = { thread, seq, event: asked.id, participant: 'alpha', state } as Invocation;
  const parts = await promptPartsFor(engine.log, invocation, { context: 8192 });
  expect(parts.map(({ kind }) => kind)).toEqual(['fixed', 'history', 'awaiting']);
  expect(parts[1]?.text).toContain('It rained.');
  expect(parts[2]?.text).toContain('is it too wet?');
  await server.close();
});

test('[T35] a model reads the newest version of a message, and that it was edited', async () => {
  const server = await openAgentServer({ scripts: { alpha: { answers: [] } } });
  const { engine } = server;
  const thread = await threadWith(engine, ['alpha', { client: 'model', model: 'alpha' }]);
  const edit = async (event: string, text: string) =>
    engine.handle(human, { name: 'edit', input: { thread, event, author: human.id, text } });
  const first = await engine.handle(human, say(thread, 'Plant beens.'));
  const asked = await engine.handle(human, say(thread, 'And peas, @alpha?'));
  if (isRefusal(first) || isRefusal(asked)) throw new Error('refused');
  await edit(first.events[0]?.id as string, 'Plant beans.');
  await edit(asked.events[0]?.id as string, 'And peas in May, @alpha?');
  const { state } = (await engine.state(thread)) as NonNullable<Awaited<ReturnType<typeof engine.state>>>;
  const { id: event, seq } = asked.events[0] as (typeof asked.events)[number];
  const invocation = { thread, seq, event, participant: 'alpha', state } as Invocation;
  const parts = await promptPartsFor(engine.log, invocation, { context: 8192 });
  const prompt = parts.map(({ text }) => text).join('\n');
  expect(prompt).toContain('Plant beans.');
  expect(prompt).toContain('And peas in May, @alpha?');
  expect(prompt).not.toContain('beens');
  expect(prompt).toContain('[what ana wrote and edited later]');
  await server.close();
});
