import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestServer, type TestServer } from '../../../test/support/servers/server.ts';
import { cursorOf } from '../../protocol/cursor.ts';

let server: TestServer;
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.close());

test('[T20] each participant’s read mark is kept, only moves forward and is not an event', async () => {
  const human = server.client();
  const { thread } = await human.threads.create({ title: 'Long', invite: [{ participant_id: 'alpha' }] });
  const remote = human.thread(thread.id);
  await remote.post({ type: 'message', content: 'Hello' });
  const { head } = await remote.events({});
  expect(await remote.markRead(cursorOf('thread', 3))).toEqual({ cursor: cursorOf('thread', 3) });
  expect(await remote.markRead(cursorOf('thread', 1))).toEqual({ cursor: cursorOf('thread', 3) });
  expect((await human.readMarks()).marks).toEqual({ [thread.id]: cursorOf('thread', 3) });
  expect((await remote.events({})).head).toBe(head);

  const { token } = await human.credentials.issue({ participant: 'alpha' });
  expect((await server.client(token).readMarks()).marks).toEqual({});
});

test('[T20] a read mark beyond the end, or of the workspace, is refused', async () => {
  const human = server.client();
  const { thread } = await human.threads.create({ title: 'Short' });
  const wrong = { code: 'wrong_cursor' };
  await expect(human.thread(thread.id).markRead(cursorOf('thread', 9))).rejects.toMatchObject(wrong);
  await expect(human.thread(thread.id).markRead(cursorOf('workspace', 1))).rejects.toMatchObject(wrong);
  await expect(human.thread(thread.id).summary({ after: cursorOf('thread', 9) })).rejects.toMatchObject(wrong);
});

test('[T20] a summary of nothing asks no model, and only humans can request one', async () => {
  const human = server.client();
  const { thread } = await human.threads.create({ title: 'Quiet', invite: [{ participant_id: 'beta' }] });
  expect(await human.thread(thread.id).summary()).toMatchObject({ by: 'auditor', text: '', events: 0 });
  const { token } = await human.credentials.issue({ participant: 'beta' });
  await expect(server.client(token).thread(thread.id).summary()).rejects.toMatchObject({ code: 'forbidden' });
});

test('[T20] a model that is too small for a summary says what to do instead', async () => {
  const human = server.client();
  const { thread } = await human.threads.create({ title: 'Wordy' });
  await human.thread(thread.id).post({ type: 'message', content: 'Hello there. '.repeat(40) });
  await expect(human.thread(thread.id).summary()).rejects.toMatchObject({
    code: 'context_too_small',
    message: expect.stringMatching(/^"small" reads 256 tokens .* "heddle models use NAME --for auditor"\.$/),
  });
});
