import type { BrowserContext, Page } from 'playwright-core';
import { afterEach, expect, test } from 'vitest';
import { gone, listed, row, see, setUpPages, write, written } from './page-support.ts';

const pages = setUpPages();
const ALLOW = { serviceWorkers: 'allow' } as const;
const ROOMS = ['threads', 'dialogue', 'exchange', 'loom'] as const;
const KINDS = { threads: 'conversation', dialogue: 'dialogue', exchange: 'exchange', loom: 'loom' } as const;
type Room = (typeof ROOMS)[number];

let isServerAway = false;
async function takeServerAway(): Promise<void> {
  isServerAway = true;
  await pages.killServer();
}
async function bringServerBack(): Promise<void> {
  await pages.restartServer();
  isServerAway = false;
}
afterEach(async () => {
  if (isServerAway) await bringServerBack();
});

/** A page that has loaded all that it keeps of itself. */
async function openInstalled(path = '/'): Promise<Page> {
  const page = await pages.open(path, ALLOW);
  await page.evaluate(async () => void (await navigator.serviceWorker.ready));
  return page;
}

async function createThread(room: Room, title: string, text: string): Promise<{ id: string; path: string }> {
  const { id } = (await pages.human().threads.create({ title, kind: KINDS[room] })).thread;
  await say(room, id, text);
  return { id, path: `/${room}/${id}` };
}

function say(room: Room, id: string, text: string): Promise<unknown> {
  const thread = pages.human().thread(id);
  if (room === 'threads') return thread.post({ type: 'message', content: text });
  if (room === 'dialogue') return thread.command('message', { text });
  return room === 'exchange' ? thread.command('inject', { text }) : thread.command('commit', { text });
}

/** All records that this browser keeps of the workspace, as text by store. */
function keptRecords(page: Page): Promise<Record<string, string>> {
  return page.evaluate(async () => {
    const settled = <Result>(request: IDBRequest<Result>) =>
      new Promise<Result>((resolve, reject) => {
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error);
      });
    const known = (await indexedDB.databases()).some(({ name }) => name === 'heddle.kept');
    if (!known) return {};
    const database = await settled(indexedDB.open('heddle.kept'));
    const names = [...database.objectStoreNames];
    const transaction = database.transaction(names);
    const asText = (value: unknown) => JSON.stringify(value, (_, each) => (each instanceof Map ? [...each] : each));
    const all = await Promise.all(
      names.map(async (name) => [name, asText(await settled(transaction.objectStore(name).getAll()))] as const),
    );
    database.close();
    return Object.fromEntries(all.filter(([, text]) => text !== '[]'));
  });
}

/** Waits until what the page keeps has this text in it. */
async function kept(page: Page, text: string, store = 'texts'): Promise<void> {
  await expect.poll(async () => (await keptRecords(page))[store]).toContain(text);
}

const offlineLine = (page: Page) => page.getByRole('status').filter({ hasText: 'Offline, reconnecting.' });

test('[I22] every room opens without a server, with what it last showed, and says from when that is', async () => {
  const page = await openInstalled();
  const rooms = [];
  for (const room of ROOMS) {
    const { id, path } = await createThread(room, `Garden ${room}`, `First words of ${room}`);
    await page.goto(pages.server.url + path);
    await see(page.getByText(`First words of ${room}`));
    await kept(page, `First words of ${room}`);
    rooms.push({ room, id, path });
  }
  await page.goto(pages.server.url);
  await see(listed(page, /^Garden loom/));
  await kept(page, 'Garden loom', 'page');
  await takeServerAway();

  await page.reload();
  await see(offlineLine(page));
  expect(await offlineLine(page).innerText()).toMatch(/You see the workspace as of \d\d:\d\d\. What you write is kept here\./);
  await see(listed(page, /^Garden loom/));
  for (const { room, path } of rooms) {
    await page.goto(pages.server.url + path);
    await see(page.getByText(`First words of ${room}`));
    await see(offlineLine(page));
  }
});
