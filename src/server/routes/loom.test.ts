import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bodyOf, openTestServer, type TestServer } from '../../../test/support/servers/server.ts';
import type { LiveItem } from '../../client/index.ts';
import { LoomCommitted } from '../../core/loom/events.ts';

let server: TestServer;
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.close());

async function loomWith(text: string) {
  const { thread } = await server.client().threads.create({ title: 'Tale', kind: 'loom', setup: { text } });
  return server.client().thread(thread.id);
}

describe('a loom over HTTP', () => {
  test('[C9] a path is one text with nodes, versions, siblings and staleness', async () => {
    const loom = await loomWith('One ');
    const { events } = await loom.command('commit', { text: 'two' });
    const { append = { node: '', after: '' } } = LoomCommitted.schema.parse(events[0]?.content);
    await loom.command('commit', { edits: [{ node: append.after, text: 'Uno ' }] });
    const shown = await loom.loom.path();
    expect(shown).toMatchObject({
      id: loom.id,
      text: 'Uno two',
      length: 2,
      tip: append.node,
      path: [
        { author: 'ada', kind: 'human', start: 0, end: 4, edited_from: append.after, stale: false },
        { node: append.node, start: 4, end: 7, siblings: [append.node], versions: [append.node], stale: true },
      ],
    });
    expect(await loom.loom.path({ from: 1, limit: 1 })).toMatchObject({ text: 'two', path: [{ start: 4 }], length: 2 });
    expect(await loom.loom.authorship()).toEqual({ spans: [{ start: 0, end: 7, author: 'ada', kind: 'human' }] });
    expect(await loom.loom.tree()).toMatchObject({ total: 2, versions: [2, 1], parent: [0, 1], path: [1, 2] });
    expect(await loom.loom.node(append.node)).toMatchObject({
      content: 'two',
      on_path: true,
      parent: shown.path[0]?.node,
    });
  });

  test('[W5] [C9] a newcomer to a place reads the preferred version', async () => {
    const loom = await loomWith('A');
    const { token } = await server.client().credentials.issue({ participant: 'carl', kind: 'human' });
    const carls = server.client(token).thread(loom.id);
    const write = async (text: string) => {
      const { events } = await loom.command('commit', { text });
      return LoomCommitted.schema.parse(events[0]?.content).append?.node as string;
    };
    await carls.command('commit', { text: 'x' });
    const [b, c] = [await write('b'), await write('c')];
    await loom.command('commit', { edits: [{ node: b, text: 'B' }] });
    await loom.command('prefer', { node: b, child: c });
    expect(await loom.loom.node(c)).toMatchObject({ preferred_source: b });
    await carls.command('switch', { node: c });
    expect(await carls.loom.path()).toMatchObject({ text: 'Abc' });
    expect(await loom.loom.path()).toMatchObject({ text: 'ABc' });
  });

  test('[W22] words are found in the tree or on the path, in any case', async () => {
    const loom = await loomWith('A red fox. ');
    const root = (await loom.loom.path()).tip;
    await loom.command('commit', { text: 'A blue fox.' });
    await loom.command('commit', { text: 'A red hen.', after: root });
    const words = async (query: { words: string; in?: 'path' | 'tree'; limit?: number }) =>
      (await loom.loom.search(query)).found.map(({ excerpt, on_path }) => `${excerpt} ${on_path}`);
    expect(await words({ words: 'FOX' })).toEqual(['A blue fox. false', 'A red fox.  true']);
    expect(await words({ words: 'red', in: 'path' })).toEqual(['A red fox.  true', 'A red hen. true']);
    expect(await words({ words: 'red hen' })).toEqual(['A red hen. true']);
    expect(await words({ words: '.*(' })).toEqual([]);
    expect(await loom.loom.search({ words: 'a', limit: 1 })).toMatchObject({ more: true });
  });

  test('[W9] scratch is kept per participant and loom, is not an event and can be deleted', async () => {
    const loom = await loomWith('x');
    const before = await loom.get();
    expect(await loom.loom.scratch()).toEqual({ scratch: null });
    const scratch = { edits: [], buffer: 'not yet', count: 1, after: before.thread.id };
    expect(await loom.loom.keepScratch(scratch)).toEqual({ kept: true });
    expect(await loom.loom.scratch()).toEqual({ scratch });
    expect(await server.client(server.agent).thread(loom.id).loom.scratch()).toEqual({ scratch: null });
    expect((await loom.get()).head).toBe(before.head);
    await loom.loom.keepScratch(null);
    expect(await loom.loom.scratch()).toEqual({ scratch: null });
    const bad = await server.send('POST', `/api/threads/${loom.id}/scratch`, { body: { scratch: { buffer: 5 } } });
    expect(bad.status).toBe(400);
    const secret = { ...scratch, buffer: `my token is ${server.human}` };
    await expect(loom.loom.keepScratch(secret)).rejects.toMatchObject({ code: 'unacceptable_text' });
  });

  test('[W25] a cursor is shown to others at once and never stored', async () => {
    const loom = await loomWith('x');
    const stop = new AbortController();
    const seen = Promise.withResolvers<LiveItem>();
    const reading = (async () => {
      const stream = server.client(server.agent).thread(loom.id).stream({ after: 'head', signal: stop.signal });
      for await (const item of stream) if (item.live?.type === 'cursor.moved') seen.resolve(item.live);
    })().catch(() => {});
    const timer = setInterval(() => void loom.loom.moveCursor({ node: null, from: 0, to: 1 }), 20);
    expect(await seen.promise).toMatchObject({ content: { participant: 'ada', node: null, from: 0, to: 1 } });
    clearInterval(timer);
    stop.abort();
    await reading;
    expect((await loom.events()).events.map(({ type }) => type)).not.toContain('cursor.moved');
  });

  test('[W25] agents act under their own id, on their own path', async () => {
    const loom = await loomWith('Shared. ');
    const agent = server.client(server.agent).thread(loom.id);
    await agent.command('commit', { text: 'Mine.' });
    expect(await agent.loom.path()).toMatchObject({
      text: 'Shared. Mine.',
      path: [{}, { author: 'alpha', kind: 'model' }],
    });
    expect(await loom.loom.path()).toMatchObject({ text: 'Shared. ' });
    expect(await loom.loom.path({ participant: 'alpha' })).toMatchObject({ text: 'Shared. Mine.' });
  });

  test('[I5] an impossible request is refused with a code and a message', async () => {
    const loom = await loomWith('x');
    const { thread: talk } = await server.client().threads.create({ title: 'Talk' });
    const readError = async (path: string) => bodyOf<{ error: { code: string } }>(server.send('GET', path));
    expect(await readError(`/api/threads/${talk.id}/path`)).toMatchObject({ error: { code: 'wrong_kind' } });
    expect(await readError('/api/threads/nowhere/path')).toMatchObject({ error: { code: 'unknown_thread' } });
    expect(await readError(`/api/threads/${loom.id}/nodes/nobody`)).toMatchObject({ error: { code: 'unknown_node' } });
    expect(await readError(`/api/threads/${loom.id}/path?from=-1`)).toMatchObject({ error: { code: 'malformed' } });
    await expect(loom.command('switch', { node: 'nobody' })).rejects.toMatchObject({ code: 'unknown_node' });
    await expect(loom.command('commit', { text: 'a\0b' })).rejects.toMatchObject({ code: 'unacceptable_text' });
    await expect(loom.command('commit', { text: 'x'.repeat(1_200_000) })).rejects.toMatchObject({ code: 'too_large' });
    const hidden = await server.send('POST', `/api/threads/${loom.id}/commands/report_generation`, { body: {} });
    expect(hidden.status).toBe(404);
  });
});
