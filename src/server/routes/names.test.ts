import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestServer, type TestServer } from '../../../test/support/servers/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.close());

test('[T27] inviting with an unknown model or client is refused, however the thread is created', async () => {
  const invite = (profile: object) => [{ participant_id: 'muse', profile }] as never;
  await expect(
    server.client().threads.create({ title: 'Plans', invite: invite({ client: 'nosuch' }) }),
  ).rejects.toMatchObject({ code: 'unknown_client', message: expect.stringContaining('There is "model".') });
  const { thread } = await server.client().threads.create({ title: 'Plans' });
  const content = { invite: { participant_id: 'muse', profile: { client: 'model', model: 'smal' } } };
  await expect(server.client().thread(thread.id).post({ type: 'control', content })).rejects.toMatchObject({
    ...{ code: 'unknown_model', message: expect.stringContaining('Did you mean "small"?') },
  });
});

test('[T27] a reply to an event that is not in the thread is refused', async () => {
  const { thread } = await server.client().threads.create({ title: 'Plans' });
  const remote = server.client().thread(thread.id);
  const { event } = await remote.post({ type: 'message', content: 'Hello' });
  const reply = (reply_to: string) => ({ type: 'message', content: 'Yes', meta: { reply_to } }) as const;
  const unknown = { code: 'unknown_event', message: expect.stringContaining('Nothing was posted') };
  await expect(remote.post(reply('01ARZ3NDEKTSV4RRFFQ69G5FAV'))).rejects.toMatchObject(unknown);
  await expect(remote.dryRun(reply('nothing'))).rejects.toMatchObject(unknown);
  expect((await remote.post(reply(event.id))).event.meta.reply_to).toBe(event.id);
});

test('[T29] a credential for an id that differs from another only in case is refused', async () => {
  await expect(server.client().credentials.issue({ participant: 'Alpha' })).rejects.toMatchObject({
    ...{ code: 'conflict', message: expect.stringContaining('Use "alpha"') },
  });
  const { token } = await server.client().credentials.issue({ participant: 'Claude' });
  const { thread } = await server.client().threads.create({ title: 'Plans', invite: [{ participant_id: 'claude' }] });
  const { event } = await server.client(token).thread(thread.id).post({ type: 'message', content: 'Hello' });
  expect(event.from).toBe('Claude');
  await expect(
    server.client().threads.create({ title: 'x', invite: [{ participant_id: 'ADA', profile: { client: 'model' } }] }),
  ).rejects.toMatchObject({ code: 'forbidden' });
});

const inviteControl = (participant_id: string) =>
  ({ type: 'control', content: { invite: { participant_id } } }) as const;
const names = async (thread: string) =>
  (await server.client().thread(thread).state()).state.participants.map(({ id }) => id);

test('[T29] an id that only an agent invited gives way to a credential with another spelling', async () => {
  const { thread } = await server.client().threads.create({ title: 'Plans' });
  const agent = server.client(server.agent).thread(thread.id);
  const remote = server.client().thread(thread.id);
  for (const id of ['CARL', 'BOB', 'DORA']) await agent.post(inviteControl(id));
  const carl = server.client(await server.tokenFor('carl', 'agent')).thread(thread.id);
  const bob = server.client(await server.tokenFor('bob', 'human')).thread(thread.id);
  expect((await carl.post({ type: 'message', content: 'Here I am.' })).event.from).toBe('carl');
  await bob.post({ type: 'message', content: 'Me too.' });
  expect(await names(thread.id)).toEqual(expect.arrayContaining(['carl', 'bob', 'DORA']));
  expect(await names(thread.id)).not.toContain('CARL');
  expect(await names(thread.id)).not.toContain('BOB');
  await remote.post({ type: 'message', content: '@bob and @Carl, welcome' });
  expect((await remote.post({ type: 'message', to: 'CARL', content: 'Hello' })).event.to).toBe('carl');
  expect((await agent.post(inviteControl('Carl'))).event.content).toMatchObject({ invite: { participant_id: 'carl' } });

  // A human names it before it writes.
  await server.tokenFor('dora', 'agent');
  const muted = await remote.post({ type: 'control', content: { mute: { targets: ['Dora'], mode: 'hard' } } });
  expect(muted.event.content).toMatchObject({ mute: { targets: ['dora'] } });
  expect(await names(thread.id)).not.toContain('DORA');
});

test('[T29] a mute also applies to the other spelling of an id that only an agent invited', async () => {
  const { thread } = await server.client().threads.create({ title: 'Plans' });
  const remote = server.client().thread(thread.id);
  await server.client(server.agent).thread(thread.id).post(inviteControl('EVE'));
  await remote.post({ type: 'control', content: { mute: { targets: ['EVE'], mode: 'hard' } } });
  const eve = server.client(await server.tokenFor('eve', 'agent')).thread(thread.id);
  const says = { type: 'message', content: 'Hello' } as const;
  await expect(eve.post(says)).rejects.toMatchObject({ code: 'participant_muted' });
  await remote.post({ type: 'control', content: { unmute: { targets: ['EVE'] } } });
  expect((await eve.post(says)).event.from).toBe('eve');
});

test('[T29] a human who invited a wrong spelling can correct it by uninviting it', async () => {
  const { thread } = await server.client().threads.create({ title: 'Plans', invite: [{ participant_id: 'FRED' }] });
  const remote = server.client().thread(thread.id);
  const fred = server.client(await server.tokenFor('fred', 'agent')).thread(thread.id);
  const says = { type: 'message', content: 'Hello' } as const;
  await expect(fred.post(says)).rejects.toMatchObject({
    ...{ code: 'forbidden', message: expect.stringContaining('ask a human to uninvite "FRED" here') },
  });
  await remote.post({ type: 'control', content: { uninvite: { participant_id: 'FRED' } } });
  expect((await fred.post(says)).event.from).toBe('fred');
  await remote.post(inviteControl('Fred'));
  expect(await names(thread.id)).toContain('fred');
  expect(await names(thread.id)).not.toContain('FRED');
});

test('[T29] an id that an agent invited into a side channel locks nobody out of it', async () => {
  const { thread } = await server.client().threads.create({ title: 'Plans' });
  const input = { question: 'Which?', members: ['GUS'] };
  const { events } = await server.client(server.agent).thread(thread.id).command('side_open', input);
  const gus = server.client(await server.tokenFor('gus', 'agent')).thread(events[0]?.thread as string);
  expect((await gus.post({ type: 'message', content: 'This one.' })).event.from).toBe('gus');
});
