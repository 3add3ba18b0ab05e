// A copy of the program with a fifth kind of thread, a list with items to tick (test/fifth-kind). Nothing in the copy is
// edited but the registries: whatever a kind needs besides them, some layer has not learned to ask it for.
import { execFile, spawn } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Client, createClient } from '../../src/client/index.ts';
import { launchBrowser } from '../support/browser.ts';
import { type FakeModels, startFakeModels } from '../support/models/fake-models.ts';
import { see } from './page-support.ts';

const root = join(import.meta.dirname, '../..');
const run = promisify(execFile);

/** What a new kind of thread adds to each registry: a line that imports it, and its place behind the loom's. */
const REGISTRIES = [
  ['src/core/modes.ts', "import { list } from './list/list.ts';", 'exchange, loom', ', list'],
  [
    'src/core/describe.ts',
    "import { listDescribers } from './list/describe.ts';",
    '...loomDescribers,',
    '...listDescribers,',
  ],
  ['src/engine/modes.ts', "import { listEngine } from './list/list.ts';", 'loom: loomEngine', ', list: listEngine'],
] as const;

let copy: string;
let workspace: string;
let fake: FakeModels;
let server: ReturnType<typeof spawn>;
let browser: Browser;
let heddle: Client;
let url: string;

beforeAll(async () => {
  copy = mkdtempSync(join(tmpdir(), 'heddle-fifth-'));
  workspace = mkdtempSync(join(tmpdir(), 'heddle-fifth-'));
  cpSync(join(root, 'src'), join(copy, 'src'), { recursive: true, filter: (path) => !path.endsWith('.test.ts') });
  cpSync(join(root, 'test/fifth-kind/src'), join(copy, 'src'), { recursive: true });
  for (const name of ['package.json', 'tsconfig.json']) cpSync(join(root, name), join(copy, name));
  for (const name of ['node_modules', 'dist']) symlinkSync(join(root, name), join(copy, name));
  for (const [file, importLine, place, addition] of REGISTRIES) {
    const text = readFileSync(join(copy, file), 'utf8');
    expect(text).toContain(place);
    writeFileSync(join(copy, file), `${importLine}\n${text.replace(place, place + addition)}`);
  }
  fake = await startFakeModels();
  const model = `{provider: openai-chat, base_url: "${fake.openAiUrl}", model: m}`;
  writeFileSync(join(workspace, 'heddle.yaml'), `models:\n  chat: ${model}\ndefaults: {mind: chat}\n`);
  server = spawn(process.execPath, words('serve', '--port', '0', '--no-open', '--json'), {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = await new Promise<string[]>((resolve) =>
    server.stdout?.once('data', (data) => resolve([String(data)])),
  );
  url = JSON.parse(line ?? '').url;
  heddle = createClient({ url, token: readFileSync(join(workspace, 'token'), 'utf8').trim() });
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser?.close();
  server?.kill();
  await fake?.close();
  for (const path of [copy, workspace]) rmSync(path, { recursive: true, force: true });
});

function words(...rest: string[]): string[] {
  return [join(copy, 'src/main.ts'), ...rest, '--workspace', workspace];
}

async function terminal(...rest: string[]): Promise<string> {
  return (await run(process.execPath, words(...rest))).stdout;
}

/** The client knows four kinds by name; the server takes any that it has. */
function send(thread: string, name: string, body: object) {
  return heddle.thread(thread).command(name as 'draft', body as { text: string });
}

async function newList(title: string, ...items: string[]): Promise<string> {
  const { thread } = await heddle.threads.create({ title, kind: 'list' });
  for (const text of items) await send(thread.id, 'add', { text });
  return thread.id;
}

test('[L3] a fifth kind of thread compiles with no edit outside the registries', async () => {
  writeFileSync(join(copy, 'tsconfig.list.json'), JSON.stringify({ extends: './tsconfig.json', include: ['src'] }));
  const { stdout } = await run(join(root, 'node_modules/.bin/tsc'), ['-p', join(copy, 'tsconfig.list.json')]).catch(
    (error) => error as { stdout: string },
  );
  expect(stdout).toBe('');
});

test('[C4] a list is created, changed and read in the terminal', async () => {
  const thread = await newList('Groceries', 'Milk', 'Bread');
  await send(thread, 'tick', { item: 2 });
  await expect(send(thread, 'tick', { item: 9 })).rejects.toMatchObject({ code: 'malformed' });
  await expect(send(thread, 'add', { text: '' })).rejects.toMatchObject({ code: 'malformed' });
  await expect(send(thread, 'steer', { text: 'x' })).rejects.toMatchObject({ code: 'wrong_kind' });
  const shown = await terminal('read', 'Groceries');
  expect(shown).toMatch(/item 2[^\n]*\n {2}Bread/);
  expect(shown).toContain('ticked item 2');
  expect((await heddle.thread(thread).get()).thread).toMatchObject({ kind: 'list', about: { open: 1 } });
});

test('[T21] [W28] a model adds items to a list, and what it was sent is what the list says', async () => {
  const thread = await newList('Supper', 'Rice');
  fake.script({ text: ' Beans\n' }, { text: 'Salt' });
  await send(thread, 'run', { items: 2 });
  await expect.poll(async () => (await heddle.thread(thread).get()).thread.about).toEqual({ open: 3 });
  const [first, second] = fake.requests.map(({ body }) => body.messages?.at(-1)?.content);
  expect(first).toContain('| Rice');
  expect(second).toContain('| Beans');
  const account = await heddle.explain(`/list/${thread}#item.2`);
  expect(account).toMatchObject({ what: 'An item', text: 'Beans', author: { id: 'shopper', model: 'chat' } });
  expect(account.call).toMatchObject({ model: 'chat', raw: { kept: true } });
  expect(account.proof.holds).toBe(true);
  // A dialogue has a command "run" too, with a body of its own.
  const { thread: dialogue } = await heddle.threads.create({ title: 'Talk', kind: 'dialogue' });
  await expect(send(dialogue.id, 'run', { items: 2 })).rejects.toMatchObject({ code: 'malformed' });
});

test('[I11] an item is found, and brought into a thread and back', async () => {
  const thread = await newList('Errands', 'Fetch the zither');
  await expect
    .poll(async () => (await heddle.search({ q: 'zither' })).hits)
    .toMatchObject([{ link: `/list/${thread}#item.1`, room: 'list', title: 'Errands' }]);
  const { thread: talk } = await heddle.threads.create({ title: 'Talk' });
  const brought = await heddle.bring({ from: `/list/${thread}#item.1`, to: `/threads/${talk.id}`, as: 'message' });
  expect(brought.events[0]).toMatchObject({
    type: 'message',
    content: 'Fetch the zither',
    meta: { origin: { what: 'item' } },
  });
  const { event } = await heddle.thread(talk.id).post({ type: 'message', content: 'Feed the cat' });
  const back = await heddle.bring({ from: `/threads/${talk.id}#${event.id}`, to: `/list/${thread}` });
  expect(back).toMatchObject({ link: `/list/${thread}#item.2`, events: [{ type: 'item.added' }] });
  await expect(heddle.bring({ from: `/list/${thread}#item.7` })).rejects.toMatchObject({ code: 'unknown_event' });
});

test('[L3] [L25] a list is exported and imported, by a program that knows lists and by one that does not', async () => {
  const thread = await newList('Packing', 'Socks', 'A torch');
  const file = join(workspace, 'packing.jsonl');
  await terminal('export', 'Packing', '-o', file);
  for (const main of [join(copy, 'src/main.ts'), join(root, 'src/main.ts')]) {
    const other = mkdtempSync(join(workspace, 'other-'));
    const program = (...rest: string[]) => run(process.execPath, [main, ...rest, '--workspace', other]);
    await program('import', file);
    const [row] = JSON.parse((await program('threads', '--json')).stdout).threads;
    expect(row).toMatchObject({ kind: 'list', title: 'Packing', id: thread });
    expect((await program('read', 'Packing')).stdout).toContain('A torch');
    const exported = join(other, 'again.jsonl');
    await program('export', 'Packing', '-o', exported);
    const events = (path: string) =>
      readFileSync(path, 'utf8')
        .split('\n')
        .filter((line) => line.includes('"item.added"'));
    expect(events(exported).map((line) => JSON.parse(line).hash)).toEqual(
      events(file).map((line) => JSON.parse(line).hash),
    );
  }
});

test('[L3] [I12] a page that has no room for lists lists them and shows their events as a timeline', async () => {
  const thread = await newList('Chores', 'Sweep the stairs', 'Oil the gate');
  const context = await browser.newContext({ serviceWorkers: 'block' });
  await context.request.post((await heddle.signInLink()).url);
  const page = await context.newPage();
  await page.goto(`${url}/list/${thread}#item.2`);
  await see(page.getByText('item added (item 2, text Oil the gate)'));
  await send(thread, 'add', { text: 'Wind the clock' });
  await see(page.getByText('item added (item 3, text Wind the clock)'));
  await see(page.getByRole('navigation').getByRole('link', { name: /^Lists/ }));
  await page.goto(`${url}/nothing/${thread}`);
  await see(page.getByRole('heading', { name: 'Page not found' }));
  await context.close();
});
