import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestServer, type TestServer } from '../../../test/support/servers/server.ts';
import { loomCommands } from '../../core/loom/commands.ts';
import type { ImportedLoom } from '../../formats/loom/tree.ts';
import { partsOfTree } from '../../formats/loom/tree-parts.ts';

const samples = join(import.meta.dirname, '../../../test/recordings/looms');

let server: TestServer;
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.close());

function file(name: string, content: string | Buffer = readFileSync(join(samples, name))) {
  return { name, content: new Blob([content as string]) };
}

async function downloadLoom(thread: string, format: 'openloom' | 'loom' | 'text' | 'markdown' | 'html' | 'jsonl') {
  return (await server.client().thread(thread).loom.export({ format })).text();
}

describe('files of other programs', () => {
  const names = readdirSync(samples, { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => entry.name);

  test.each(names)(
    '[W26] %s becomes a loom with a report, and exporting and importing it again changes nothing',
    async (name) => {
      const looms = await server.client().looms.import([file(name)]);
      expect(looms.length).toBeGreaterThan(0);
      for (const { id, nodes, report } of looms) {
        expect(nodes).toBeGreaterThan(0);
        for (const { count, why } of report.dropped) expect([count > 0, why !== '']).toEqual([true, true]);
        const { text } = await server.client().thread(id).loom.path();
        expect(await downloadLoom(id, 'text')).toBe(text);
        for (const format of ['openloom', 'loom'] as const) {
          const once = await downloadLoom(id, format);
          const [again] = await server.client().looms.import([file('again.json', once)]);
          expect(JSON.parse(await downloadLoom(again?.id as string, format))).toEqual(JSON.parse(once));
        }
      }
    },
  );

  test('[W26] a folder of chats is one loom, other files are one each, and a bad file stores nothing', async () => {
    const chats = readdirSync(join(samples, 'chats')).map((name) =>
      file(name, readFileSync(join(samples, 'chats', name))),
    );
    const looms = await server.client().looms.import([...chats, file('openloom.json'), file('plain.md')]);
    expect(looms.map(({ format }) => format)).toEqual(['sillytavern', 'openloom', 'text']);
    const before = (await server.client().threads.list()).threads.length;
    const bad = server.client().looms.import([file('openloom.json'), file('bad.json', '{"a":')]);
    await expect(bad).rejects.toMatchObject({ code: 'bad_file' });
    const upload = server.client().looms.import([file('ours.jsonl', '{"heddle":"export","version":1}\n')]);
    await expect(upload).rejects.toThrow('heddle import');
    expect((await server.client().threads.list()).threads).toHaveLength(before);
  });

  test('[L17] a key of this workspace is removed, whatever it looks like', async () => {
    const [loom] = await server.client().looms.import([file('a.txt', `my token is ${server.human}, see?`)]);
    expect(loom?.report.secrets_removed).toBe(1);
    const { text } = await server
      .client()
      .thread(loom?.id as string)
      .loom.path();
    expect(text).not.toContain(server.human);
    expect(text).toMatch(/^my token is .*, see\?$/);
  });

  test('[L15] a bad upload is refused with a message', async () => {
    const send = (body: string) =>
      server.send('POST', '/api/looms/import', { body, headers: { 'content-type': 'application/jsonl' } });
    expect((await send('{"name":"a"}\n')).status).toBe(400);
    expect((await send('nothing')).status).toBe(400);
    expect((await send('')).status).toBe(422);
    expect((await server.send('POST', '/api/looms/import', { body: '{}' })).status).toBe(400);
  });
});

describe('a loom as a file', () => {
  test('[W26] every format is a download named after the title', async () => {
    const { thread } = await server
      .client()
      .threads.create({ title: 'Mühle "1"', kind: 'loom', setup: { text: 'Once <b>' } });
    const { loom } = server.client().thread(thread.id);
    const response = await loom.export({ format: 'markdown' });
    expect(response.headers.get('content-disposition')).toContain("filename*=UTF-8''M%C3%BChle%20%221%22.md");
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(await response.text()).toContain('Written by ada');
    expect(await downloadLoom(thread.id, 'html')).toContain('Once &lt;b&gt;');
    expect(await (await loom.export({ format: 'text', authors: 'yes' })).text()).toContain('0-8\thuman\tada');
    const lines = (await downloadLoom(thread.id, 'jsonl')).trimEnd().split('\n');
    expect(JSON.parse(lines[0] as string)).toMatchObject({ heddle: 'export', thread: thread.id });
    expect(JSON.parse(lines.at(-1) as string)).toMatchObject({ end: true });
  });

  test('[W20] [W26] versions, marks and the two halves of a split are in the tree', async () => {
    const client = server.client();
    const { thread } = await client.threads.create({ title: 'Split', kind: 'loom', setup: { text: 'Once upon' } });
    const loom = client.thread(thread.id);
    const first = (await loom.loom.path()).tip;
    await loom.command('commit', { text: ' a time' });
    const last = (await loom.loom.path()).tip;
    await loom.command('mark', { node: last, bookmark: '', tags: ['x'], rating: 3, note: 'n' });
    await loom.command('split', { node: first, at: 4 });
    const [head] = (await loom.loom.path()).path;
    await loom.command('commit', { edits: [{ node: head?.node as string, text: 'Twice' }] });
    const { nodes } = JSON.parse(await downloadLoom(thread.id, 'openloom'));
    const { path, text } = await loom.loom.path();
    expect(text).toBe('Twice upon a time');
    const upwards: string[] = [];
    for (let at = nodes[last]; at; at = nodes[at.parentId]) if (at.text !== '') upwards.unshift(at.id);
    expect(upwards).toEqual(path.map(({ node }) => node));
    expect(nodes[last]).toMatchObject({ isBookmarked: true, heddle: { tags: ['x'], rating: 3, note: 'n' } });
    expect(nodes[path[0]?.node as string].heddle.editedFrom).toBe(head?.node);
  });

  test('[I3] a node is found by the beginning or end of its id, and only in a loom', async () => {
    const [loom] = await server.client().looms.import([file('openloom.json')]);
    const { loom: read } = server.client().thread(loom?.id as string);
    const { node: ids } = await read.tree();
    const [id = ''] = ids;
    expect((await read.like(id)).nodes).toEqual([id]);
    expect((await read.like(id.slice(0, -1))).nodes).toContain(id);
    expect((await read.like('no-such-node')).nodes).toEqual([]);
    const { thread } = await server.client().threads.create({ title: 'Talk' });
    await expect(server.client().thread(thread.id).loom.like('x')).rejects.toMatchObject({ code: 'wrong_kind' });
    await expect(downloadLoom(thread.id, 'openloom')).rejects.toMatchObject({ code: 'wrong_kind' });
    expect(await downloadLoom(thread.id, 'jsonl')).toContain('"heddle":"export"');
  });
});

describe('parts of a tree', () => {
  function partsFrom(imported: ImportedLoom) {
    const tree = partsOfTree(imported);
    const parts = [...tree.parts];
    for (const part of parts) loomCommands.import_tree.input.parse(part);
    return { parts, report: tree.report() };
  }

  test('[W26] foreign ids, and names, tags and probabilities beyond our limits are repaired and reported', () => {
    const nodes = [
      {
        id: 'root',
        content: 'a',
        kind: 'human' as const,
        author: 'x'.repeat(300),
        tags: Array.from({ length: 90 }, (_, i) => `t${i}`),
      },
      { id: 'a/b', parent: 'root', content: 'b', kind: 'model' as const, tags: ['  '], bookmark: {} },
      {
        id: 'a b',
        parent: 'a/b',
        content: 'c',
        kind: 'model' as const,
        logprobs: Array.from({ length: 10_001 }, () => ({ token: 'x' })),
      },
    ];
    const { parts, report } = partsFrom({
      tree: { title: 'T', nodes },
      report: { format: 'openloom', nodes: 3, dropped: [], secretsRemoved: 0, problems: [] },
    });
    expect(parts).toHaveLength(1);
    expect(parts[0]?.nodes.map(({ id, parent }) => [id, parent])).toEqual([
      ['root-2', undefined],
      ['a-b', 'root-2'],
      ['a-b-2', 'a-b'],
    ]);
    expect(parts[0]?.active).toBe('a-b-2');
    expect(parts[0]?.nodes[1]?.bookmark).toBe('');
    expect(report.dropped.map(({ field }) => field)).toEqual(['tags', 'author', 'logprobs']);
    expect(report.problems).toMatchObject([{ count: 3, where: ['root', 'a/b', 'a b'] }]);
  });

  const depth = Number(process.env.HEDDLE_LOOM_DEPTH ?? 100_000);
  test(`[W27] a chain of ${depth} nodes is imported in parts, opened and exported again`, {
    timeout: 600_000,
  }, async () => {
    const text = `${'{"text":"a ","children":['.repeat(depth)}${']}'.repeat(depth)}`;
    const [loom] = await server.client().looms.import([file('deep.json', text)]);
    const { thread } = await server
      .client()
      .thread(loom?.id as string)
      .get();
    const parts = (await server.client().thread(thread.id).events({ limit: 1000 })).events;
    expect(parts.filter(({ type }) => type === 'loom.imported').length).toBeGreaterThan(depth / 10_000);
    const { length, text: start } = await server.client().thread(thread.id).loom.path({ limit: 10 });
    expect([length, start]).toEqual([depth, 'a '.repeat(10)]);
    expect((await downloadLoom(thread.id, 'text')).length).toBe(2 * depth);
    const response = await server.client().thread(thread.id).loom.export({ format: 'loom' });
    let found = 0;
    let rest = '';
    for await (const chunk of response.body as ReadableStream<Uint8Array>) {
      const pieces = (rest + Buffer.from(chunk).toString()).split('"children":[');
      found += pieces.length - 1;
      rest = (pieces.at(-1) as string).slice(-20);
    }
    expect(found).toBe(depth);
  });
});
