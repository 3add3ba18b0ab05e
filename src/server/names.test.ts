import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestServer, type TestServer } from '../../test/support/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.close());

test('[T27] an invitation by an unknown model or client is refused, however the thread is made', async () => {
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
