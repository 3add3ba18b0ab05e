import { expect, onTestFinished, test } from 'vitest';
import { bodyOf, openTestServer } from '../../../test/support/servers/server.ts';
import { type Forged, readExport, sealedChain } from '../../../test/support/stores/exports.ts';
import { describeEvent } from '../../core/describe.ts';
import type { Json } from '../../core/events/event.ts';
import { manifest } from '../../core/events/manifest.ts';
import { withArticle } from '../../core/text/article.ts';
import { rebuildAll } from '../../engine/derived/rebuild.ts';
import { verifyLog } from '../../formats/verify/verify.ts';
import { eventOf } from '../../log/event-log.ts';
import { openMemoryLog } from '../../log/memory/memory-log.ts';
import { endpoints } from '../../protocol/routes.ts';

/** The last two are kinds that only another version could have. */
const KINDS = ['conversation', 'dialogue', 'exchange', 'loom', 'constructor', 'api'] as const;
const title = { toString: 'mine', deep: ['x'.repeat(1000)] };

/** A workspace into which an earlier version took what no schema allows. */
async function openServer(forged: readonly Forged[]) {
  const log = openMemoryLog();
  const events = sealedChain(forged);
  for (const event of events) {
    await log.append([{ expected: [{ thread: event.thread, seq: event.seq - 1 }], events: [event] }]);
  }
  await rebuildAll(log);
  const server = await openTestServer({ log });
  onTestFinished(() => server.close());
  return server;
}

const OF_A_THREAD = endpoints.filter(
  ({ method, path }) => method === 'GET' && /^\/api\/threads\/:thread(\/[a-z]+)?$/.test(path),
);

/** Everything that shows a thread; none of it may fail. */
async function openEverything({ engine, send, reported }: Awaited<ReturnType<typeof openServer>>, thread: string) {
  const paths = [
    ...['/api/threads', '/api/events', '/api/search?q=plans', '/api/read-marks', '/api/usage'],
    ...OF_A_THREAD.filter(({ path }) => !path.endsWith('/stream')).map(({ path }) => path.replace(':thread', thread)),
    ...['/events/e1', '/events/e1/delivery'].map((path) => `/api/threads/${thread}${path}`),
    `/api/explain?link=${encodeURIComponent(`/threads/${thread}`)}`,
  ];
  for (const path of paths) {
    const response = await send('GET', path);
    expect(response.status, `${path}: ${await response.clone().text()}`).toBeLessThan(500);
  }
  expect(reported).toEqual([]);
  for (const row of await engine.log.readAll(0, 1000)) describeEvent(eventOf(row));
  expect((await verifyLog(engine.log, undefined)).broken).toBeUndefined();
  expect((await readExport(engine.log)).length).toBeGreaterThan(0);
  expect((await engine.rebuild()).mended).toBe(0);
}

for (const kind of KINDS) {
  test(`[L25] ${withArticle(kind)} whose title is not text is opened, listed, found and exported like any other`, async () => {
    const server = await openServer([
      { type: 'thread.created', content: { title, kind } },
      { content: 'Plans for the mill.' },
      { thread: 't2', type: 'thread.created', content: { title: 'Well', kind } },
      { thread: 't2', type: 'thread.renamed', content: { title: null } },
      { thread: 't2', content: 'Plans for the well.' },
    ]);
    await openEverything(server, 't1');
    const { threads } = await bodyOf<{ threads: { id: string; title: string }[] }>(server.send('GET', '/api/threads'));
    const shown = new Map(threads.map((row) => [row.id, row.title]));
    expect(shown.get('t1')).toMatch(/^\{"deep":\["x+…$/);
    expect(shown.get('t1')).toHaveLength(200);
    expect(shown.get('t2')).toBe('null');
    const { hits } = await bodyOf<{ hits: { title: string }[] }>(server.send('GET', '/api/search?q=plans'));
    expect(hits.map((hit) => hit.title).sort()).toEqual(['null', shown.get('t1')]);
  });
}

test('[L25] no content of any type prevents a thread of any kind from opening', async () => {
  const odd: Json[] = [
    null,
    7,
    '',
    'text',
    [],
    [null],
    {},
    { '': [null] },
    { title: 1, text: {}, edits: {}, nodes: 1 },
  ];
  for (const kind of KINDS) {
    const types = [...manifest.values()].filter(({ durable }) => durable).map(({ type }) => type);
    const forged = types
      .filter((type) => type !== 'thread.created')
      .flatMap((type) => odd.map((content) => ({ type, content })));
    const server = await openServer([{ type: 'thread.created', content: { title: 'Plans', kind } }, ...forged]);
    await openEverything(server, 't1');
    const { hits } = await bodyOf<{ hits: { title: string }[] }>(server.send('GET', '/api/search?q=plans'));
    expect(hits.length).toBeGreaterThan(0);
  }
});
