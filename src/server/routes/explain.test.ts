import { afterEach, beforeEach, expect, test } from 'vitest';
import { bodyOf, openTestServer, type TestServer } from '../../../test/support/servers/server.ts';
import type { Client } from '../../client/index.ts';
import type { WireAccount } from '../../protocol/explain.ts';

let server: TestServer;
let ada: Client;

beforeEach(async () => {
  server = await openTestServer();
  ada = server.client();
});
afterEach(() => server.close());

async function postMessage(text = 'Roses by the wall.') {
  const { thread } = await ada.threads.create({ title: 'Garden' });
  const { event } = await server.client(server.agent).thread(thread.id).post({ type: 'message', content: text });
  return { id: thread.id, event, link: `/threads/${thread.id}#${event.id}` };
}

const explainPath = (link: string, more = '') => `/api/explain?link=${encodeURIComponent(link)}${more}`;

test('[I28] [I17] only those who may read a thread can ask where its texts come from', async () => {
  const { link, event } = await postMessage();
  expect((await server.send('GET', explainPath(link), { token: '' })).status).toBe(401);
  const account = await bodyOf<WireAccount>(
    server.send('GET', explainPath(link, '&offset=3'), { token: server.agent }),
  );
  expect(account).toMatchObject({ text: 'Roses by the wall.', author: { id: 'alpha' }, proof: { hash: event.hash } });
  expect(await ada.explain(link)).toMatchObject({ author: { id: 'alpha' }, proof: { holds: true } });
});

test('[I28] [I5] a bad explain request is refused with a message and its status', async () => {
  const { id, link } = await postMessage();
  const answer = async (path: string) => {
    const response = await server.send('GET', path);
    const { error } = await bodyOf<{ error: { code: string; message: string } }>(response);
    return `${response.status} ${error.code}: ${error.message}`;
  };
  expect(await answer('/api/explain')).toMatch(/^400 malformed/);
  expect(await answer(explainPath('roses'))).toMatch(/^400 malformed: "roses" is not a link/);
  expect(await answer(explainPath(link, '&offset=-1'))).toMatch(/^400 malformed/);
  expect(await answer(explainPath(link, '&offset=18'))).toMatch(/^400 malformed: The text has 18 characters/);
  expect(await answer(explainPath('/threads/nowhere'))).toMatch(/^404 unknown_thread/);
  expect(await answer(explainPath(`/threads/${id}#nothing`))).toMatch(/^404 unknown_event/);
  expect(await answer(explainPath(`/loom/${id}#../../etc`))).toMatch(/^404 unknown_event/);
});

test('[I28] [W7] text sent from another thread names its source', async () => {
  const { link } = await postMessage();
  const { thread: loom, link: there } = await ada.open({ link, as: 'loom' });
  const { tip } = await ada.thread(loom.id).loom.path();
  const node = await ada.explain(`${there}#${tip}`, { offset: 2 });
  expect(node.author).toEqual({ id: 'alpha', kind: 'model' });
  expect(node.steps).toMatchObject([
    { what: 'The loom was opened from a message.', link },
    { what: 'ada opened it with a text of alpha, which is proved at its source.', link },
  ]);
  await ada.thread(loom.id).command('commit', { text: ' And thyme.' });
  const message = await ada.bring({ from: there });
  const draft = await ada.explain(message.link);
  expect(draft.steps[0]).toMatchObject({
    what: 'Its text was sent here from a node in a loom.',
    link: /^\/loom\//,
  });
  const title = await ada.explain(there);
  expect(title).toMatchObject({ what: 'The title of a loom', author: { id: 'ada' } });
});
