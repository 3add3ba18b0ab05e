import { expect, test } from 'vitest';
import { human } from '../../../test/support/domain/given.ts';
import {
  hasClosedWakes,
  openAgentServer,
  say,
  threadWith,
  waitForEvents,
  wakeOutcomes,
} from '../../../test/support/servers/agent-server.ts';
import { readEvents, sendOrThrow } from '../../../test/support/servers/engine-access.ts';
import type { Event } from '../../core/events/event.ts';
import { sha256 } from '../../log/seal.ts';

const auditor = ['auditor', { client: 'model', model: 'clerk', roles: ['auditor'] }] as const;

test('[T21] an auditor reads the messages by its instructions and posts an audit with checked citations', async () => {
  const answers = [
    { when: ['in #3', 'Roses by the wall.'], text: 'Roses by the wall [#3]; nobody asked bea [#77].' },
    { when: 'you in your last audit', text: 'Two [#3].' },
  ];
  const server = await openAgentServer({ scripts: { clerk: { answers } } });
  const thread = await threadWith(server.engine, [...auditor]);
  await server.engine.handle(human, say(thread, 'Roses by the wall.'));
  server.engine.startWork();
  const events = await waitForEvents(server.engine, thread, hasClosedWakes(1));
  const written = events.find(({ type, from }) => type === 'message' && from === 'auditor');
  expect(written).toMatchObject({
    content: 'Roses by the wall [#3]; nobody asked bea [#77].',
    meta: { audit: { cites: [{ seq: 3, event: events[2]?.id }], unknown: [77], shown: 1 } },
  });
  await server.engine.handle(human, {
    name: 'post',
    input: {
      thread,
      type: 'control',
      content: { invite: { participant_id: 'auditor', profile: { spec: 'Only count.' } } },
    },
  });
  await server.engine.handle(human, say(thread, '@auditor again'));
  const after = await waitForEvents(server.engine, thread, hasClosedWakes(2));
  expect(after.at(-1)).toMatchObject({
    ...{ from: 'auditor', content: 'Two [#3].' },
    meta: { audit: { shown: 2, spec: sha256('Only count.') } },
  });
  await server.close();
});

test('[T21] an audit without valid citations is requested once more, then not posted, with the reason', async () => {
  const answers = [{ text: 'All is well.' }, { when: 'could not be used', text: 'All is well, as in [#99].' }];
  const server = await openAgentServer({ scripts: { clerk: { answers } } });
  const thread = await threadWith(server.engine, [...auditor]);
  await server.engine.handle(human, say(thread, 'Roses by the wall.'));
  server.engine.startWork();
  const events = await waitForEvents(server.engine, thread, hasClosedWakes(1));
  expect(wakeOutcomes(events)).toMatchObject([
    { outcome: 'failed', reason: expect.stringContaining('names no message') },
  ]);
  expect(events.filter(({ from, type }) => from === 'auditor' && type === 'message')).toEqual([]);
  await server.close();
});

test('[T21] in a dialogue or a loom the auditor reads the texts there and cites their places', async () => {
  const answers = [
    { when: ['Shall we plant beans?', 'Mind the frost.'], text: 'Beans [#2], with care [#3].' },
    { when: 'The bridge was out.', text: 'The bridge [#3].' },
  ];
  const server = await openAgentServer({ scripts: { clerk: { answers } } });
  const ask = async (name: string, input: object) => {
    const [first] = await sendOrThrow(server.engine, name, input);
    return first?.thread as string;
  };
  const citesOfAudit = async (thread: string) => {
    const [participant_id, profile] = auditor;
    await ask('post', { thread, type: 'control', content: { invite: { participant_id, profile } } });
    const events = await waitForEvents(server.engine, thread, hasClosedWakes(1));
    return events.find(({ type, from }) => type === 'message' && from === 'auditor')?.meta.audit?.cites;
  };
  server.engine.startWork();
  const dialogue = await ask('create', { title: 'Plans', kind: 'dialogue', invite: [] });
  await ask('message', { thread: dialogue, text: 'Shall we plant beans?' });
  await ask('steer', { thread: dialogue, text: 'Mind the frost.' });
  expect(await citesOfAudit(dialogue)).toMatchObject([
    { seq: 2, at: '1' },
    { seq: 3, at: '1' },
  ]);
  const loom = await ask('create', { title: 'A text', kind: 'loom', invite: [], setup: { text: 'It rained.' } });
  await ask('commit', { thread: loom, edits: [], text: 'The bridge was out.' });
  const [, , committed] = (await readEvents(server.engine, loom)) as [Event, Event, Event];
  const { append } = committed.content as unknown as { append: { node: string } };
  expect(await citesOfAudit(loom)).toMatchObject([{ seq: 3, at: append.node }]);
  await server.close();
});

test('[T21] an auditor has nothing to do in an empty thread', async () => {
  const server = await openAgentServer({ scripts: { clerk: { answers: [{ text: 'x' }] } } });
  const thread = await threadWith(server.engine, [...auditor]);
  server.engine.startWork();
  await waitForEvents(server.engine, thread, hasClosedWakes(1));
  expect(wakeOutcomes(await readEvents(server.engine, thread))).toMatchObject([{ outcome: 'declined' }]);
  await server.close();
});

test('[T21] [M3] the small model can audit: it cites the newest messages, and its audit is labelled', async () => {
  const server = await openAgentServer({ models: { small: { provider: 'embedded' } } });
  const thread = await threadWith(server.engine, ['auditor', { client: 'model', roles: ['auditor'] }]);
  for (const text of ['Once there was a dog.', 'The dog was sad.'])
    await server.engine.handle(human, say(thread, text));
  server.engine.startWork();
  const events = await waitForEvents(server.engine, thread, hasClosedWakes(1));
  expect(events.at(-1)).toMatchObject({
    ...{ type: 'message', from: 'auditor', content: expect.stringMatching(/^ana \[#3\]: .+\nana \[#4\]: .+/) },
    meta: { audit: { cites: [{ seq: 3 }, { seq: 4 }], unknown: [], shown: 2 } },
  });
  expect(wakeOutcomes(events)).toMatchObject([{ usage: { small: true } }]);
  await server.close();
});
