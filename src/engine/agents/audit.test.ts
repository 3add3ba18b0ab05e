import { expect, test } from 'vitest';
import { closed, eventsOf, openAgentServer, outcomes, say, threadWith, until } from '../../../test/support/agents.ts';
import { human } from '../../../test/support/given.ts';
import { sha256 } from '../../log/seal.ts';

const auditor = ['auditor', { client: 'model', model: 'clerk', roles: ['auditor'] }] as const;

test('[T21] an auditor reads what was said by its specification and posts an audit whose citations are checked', async () => {
  const answers = [
    { when: ['in #3', 'Roses by the wall.'], text: 'Roses by the wall [#3]; nobody asked bea [#77].' },
    { when: 'you in your last audit', text: 'Two [#3].' },
  ];
  const server = await openAgentServer({ scripts: { clerk: { answers } } });
  const thread = await threadWith(server.engine, [...auditor]);
  await server.engine.handle(human, say(thread, 'Roses by the wall.'));
  server.engine.startWork();
  const events = await until(server.engine, thread, closed(1));
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
  const after = await until(server.engine, thread, closed(2));
  expect(after.at(-1)).toMatchObject({
    ...{ from: 'auditor', content: 'Two [#3].' },
    meta: { audit: { shown: 2, spec: sha256('Only count.') } },
  });
  await server.close();
});

test('[T21] an audit that names nothing it was shown is asked for once more, then not posted, and the reason is told', async () => {
  const answers = [{ text: 'All is well.' }, { when: 'could not be taken', text: 'All is well, as in [#99].' }];
  const server = await openAgentServer({ scripts: { clerk: { answers } } });
  const thread = await threadWith(server.engine, [...auditor]);
  await server.engine.handle(human, say(thread, 'Roses by the wall.'));
  server.engine.startWork();
  const events = await until(server.engine, thread, closed(1));
  expect(outcomes(events)).toMatchObject([{ outcome: 'failed', reason: expect.stringContaining('names no message') }]);
  expect(events.filter(({ from, type }) => from === 'auditor' && type === 'message')).toEqual([]);
  await server.close();
});

test('[T21] where nothing was said there is nothing to audit', async () => {
  const server = await openAgentServer({ scripts: { clerk: { answers: [{ text: 'x' }] } } });
  const thread = await threadWith(server.engine, [...auditor]);
  server.engine.startWork();
  await until(server.engine, thread, closed(1));
  expect(outcomes(await eventsOf(server.engine, thread))).toMatchObject([{ outcome: 'declined' }]);
  await server.close();
});

test('[T21] [M3] the small model audits too: the numbers are those of the newest messages, and it is labelled', async () => {
  const server = await openAgentServer({ models: { small: { provider: 'embedded' } } });
  const thread = await threadWith(server.engine, ['auditor', { client: 'model', roles: ['auditor'] }]);
  for (const text of ['Once there was a dog.', 'The dog was sad.'])
    await server.engine.handle(human, say(thread, text));
  server.engine.startWork();
  const events = await until(server.engine, thread, closed(1));
  expect(events.at(-1)).toMatchObject({
    ...{ type: 'message', from: 'auditor', content: expect.stringMatching(/^ana \[#3\]: .+\nana \[#4\]: .+/) },
    meta: { audit: { cites: [{ seq: 3 }, { seq: 4 }], unknown: [], shown: 2 } },
  });
  expect(outcomes(events)).toMatchObject([{ usage: { small: true } }]);
  await server.close();
});
