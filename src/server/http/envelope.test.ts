import { afterAll, beforeAll, expect, test } from 'vitest';
import { bodyOf, openTestServer, type TestServer } from '../../../test/support/servers/server.ts';
import type { WirePostResult } from '../../client/index.ts';

let server: TestServer;
let thread: string;
beforeAll(async () => {
  server = await openTestServer();
  const invite = [{ participant_id: 'alpha', profile: { kind: 'agent' as const } }];
  thread = (await server.client().threads.create({ title: 'Plans', invite })).thread.id;
});
afterAll(() => server.close());

async function post(body: object, token = server.human) {
  const response = await server.send('POST', `/api/threads/${thread}/events`, { body, token });
  return { status: response.status, ...(await bodyOf<WirePostResult & { error?: { message: string } }>(response)) };
}

test('[T29] a client may repeat the thread and its own id, and null means absent', async () => {
  const body = { thread, type: 'message', from: 'ada', to: null, content: 'Hello', meta: { reply_to: null, tags: [] } };
  expect(await post(body)).toMatchObject({ status: 201, event: { thread, from: 'ada', to: 'all', content: 'Hello' } });
  expect(await post({ ...body, meta: null })).toMatchObject({ status: 201 });
});

test('[T29] nobody can write under another id or into another thread, whatever they send', async () => {
  const body = { type: 'message', content: 'Hello' };
  const forged = await post({ ...body, from: 'ada' }, server.agent);
  expect(forged).toMatchObject({ status: 400, error: { message: expect.stringContaining('or send your own id') } });
  const elsewhere = await post({ ...body, thread: '01ARZ3NDEKTSV4RRFFQ69G5FAV' });
  expect(elsewhere).toMatchObject({
    status: 400,
    error: { message: expect.stringContaining('the thread of the address') },
  });
});

test('[T26] a result may name its task as task_id, which is stored as reply_to', async () => {
  const { event: task } = await post({ type: 'task', to: 'alpha', content: 'Count.' });
  const content = { task_id: task.id, text: 'Twelve.', data: { beans: 12, rest: null } };
  const both = await post({ type: 'result', content, meta: { reply_to: 'another' } }, server.agent);
  expect(both).toMatchObject({ status: 400, error: { message: expect.stringContaining('name different tasks') } });
  expect(await post({ type: 'result', content }, server.agent)).toMatchObject({
    ...{ status: 201, event: { from: 'alpha', meta: { reply_to: task.id } } },
  });
  const { events } = await server.client().thread(thread).events({ before: 'head', limit: 1 });
  expect(events[0]?.content).toEqual({ text: 'Twelve.', data: { beans: 12, rest: null } });
});

test.each<[object, string]>([
  [{ type: 'message', content: 'x', to: 5 }, '"to" must be "all", a participant id, or a list'],
  [{ type: 'task', to: 'alpha', content: 5 }, 'A task needs a string, or an object with "text".'],
  [{ type: 'result', content: 5 }, 'A result needs a string, or an object with any of'],
  [{ type: 'control', content: { pause: 5 } }, '"pause" takes {"on": true or false}.'],
  [
    { type: 'control', content: { policy: { mode: 'auto', hop: 3 } } },
    '"policy" takes {"mode": "small", "large" or "auto"',
  ],
])('[T5] %j is refused with the correct shape', async (body, expected) => {
  expect(await post(body)).toMatchObject({ status: 400, error: { message: expect.stringContaining(expected) } });
});
