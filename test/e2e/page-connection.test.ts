import { cpSync, renameSync, rmSync } from 'node:fs';
import type { Page, Response } from 'playwright-core';
import { expect, test } from 'vitest';
import { gone, listed, row, see, setUpPages, written } from './page-support.ts';

const pages = setUpPages();
const PATHS = { conversation: 'threads', dialogue: 'dialogue', exchange: 'exchange', loom: 'loom' } as const;
type Kind = keyof typeof PATHS;

/** Streams that the server has open; the client that asks has none. */
async function openStreams(): Promise<number> {
  const { token } = await pages.human().credentials.issue({ participant: 'meter' });
  const answer = await fetch(`${pages.server.url}/metrics`, { headers: { authorization: `Bearer ${token}` } });
  return Number(/^heddle_streams_open (\d+)$/m.exec(await answer.text())?.[1]);
}

async function openRoom(first: Page, title: string, kind: Kind = 'conversation'): Promise<{ id: string; tab: Page }> {
  const { thread } = await pages.human().threads.create({ title, kind });
  const tab = await first.context().newPage();
  await tab.goto(`${pages.server.url}/${PATHS[kind]}/${thread.id}`);
  await see(tab.getByRole('heading', { name: title, level: 1 }));
  return { id: thread.id, tab };
}

function say(id: string, kind: Kind, text: string, isFirst = true): Promise<unknown> {
  const thread = pages.human().thread(id);
  if (kind === 'conversation') return thread.post({ type: 'message', content: text });
  if (kind === 'dialogue') return thread.command(isFirst ? 'message' : 'steer', { text });
  return kind === 'exchange' ? thread.command('inject', { text }) : thread.command('commit', { text });
}

async function isPresent(id: string): Promise<boolean> {
  const { presence } = await pages.human().thread(id).presence();
  return presence.some(({ participant, reach }) => participant === 'human' && reach === 'live');
}

/** How many threads the navigation counts: it tells what the tab has heard of, in every room. */
async function threadCount(tab: Page): Promise<number> {
  const link = tab.getByRole('navigation').getByRole('link', { name: /^Threads/ });
  return Number(/\d+/.exec(await link.innerText())?.[0]);
}

function turn(tab: Page, to: 'hidden' | 'visible'): Promise<void> {
  return tab.evaluate((value) => {
    Object.defineProperty(document, 'visibilityState', { value, configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));
  }, to);
}

// First, while nothing else happens in the workspace: dialogues of other tests note seconds later that I have left them,
// and the list then reads their rows.
test('[I21] what the stream brought is not read again, and a room without news asks the server nothing', async () => {
  const first = await pages.open('/');
  const { id, tab } = await openRoom(first, 'Quiet');
  const tabs = [first, tab];
  await see(listed(first, /^Quiet /));
  // Whom a message wakes is part of the state, which the page folds itself. The list reads its row once for the invitation.
  const isRow = (response: { url(): string }) => response.url().endsWith(`/api/threads/${id}`);
  // The faces of the people are read once more for somebody new.
  const isPeople = async (response: Response) =>
    response.url().endsWith('/api/people') && (await response.text()).includes('alpha');
  const rows = Promise.all(tabs.flatMap((each) => [each.waitForResponse(isRow), each.waitForResponse(isPeople)]));
  await pages
    .human()
    .thread(id)
    .post({ type: 'control', content: { invite: { participant_id: 'alpha' } } });
  await rows;
  await see(tab.getByRole('complementary').getByText('alpha'));
  await pages.human().thread(id).post({ type: 'message', content: 'one' });
  await see(row(tab, 'one'));
  await see(listed(first, /^Quiet human: one/));
  const requests: string[] = [];
  first.context().on('request', (request) => requests.push(`${request.method()} ${new URL(request.url()).pathname}`));
  for (const content of ['two', 'three', 'four']) {
    await pages.human().thread(id).post({ type: 'message', content });
    await see(row(tab, content));
  }
  // What has been read is remembered, which is another matter; files of the page may still be loaded ahead.
  const asked = requests.filter((request) => !request.endsWith('/read-mark') && !request.startsWith('GET /assets/'));
  expect(asked).toEqual([]);
});

test('[I21] [T3] ten rooms in ten windows share one connection: each shows what is new, and I am present in each', async () => {
  const first = await pages.open('/');
  const kinds: Kind[] = [
    'conversation',
    'dialogue',
    'exchange',
    'loom',
    'conversation',
    'dialogue',
    'exchange',
    'loom',
  ];
  const rooms: { id: string; tab: Page; kind: Kind }[] = [];
  for (const kind of [...kinds, 'conversation', 'conversation'] as const) {
    rooms.push({ kind, ...(await openRoom(first, `Room ${rooms.length}`, kind)) });
  }
  expect(await openStreams()).toBe(1);
  for (const { id } of rooms) await expect.poll(() => isPresent(id)).toBe(true);
  for (const [i, { id, kind }] of rooms.entries()) await say(id, kind, `Heard in room ${i}.`);
  for (const [i, { tab }] of rooms.entries()) await see(tab.getByText(`Heard in room ${i}.`));
  expect(await openStreams()).toBe(1);

  // The tab that holds the connection goes; the next one goes on.
  await first.close();
  await expect.poll(openStreams).toBe(1);
  for (const [i, { id, kind }] of rooms.entries()) await say(id, kind, ` Again in room ${i}.`, false);
  for (const [i, { tab }] of rooms.entries()) await see(tab.getByText(`Again in room ${i}.`));
  for (const { id } of rooms) expect(await isPresent(id)).toBe(true);
}, 90_000);

test('[I21] [L10] tabs that die one after the other while messages come leave no gap and no double', async () => {
  const first = await pages.open('/');
  const { id, tab } = await openRoom(first, 'Heirs');
  const heirs = [first];
  for (let i = 0; i < 3; i++) {
    const heir = await first.context().newPage();
    await heir.goto(pages.server.url);
    heirs.push(heir);
  }
  const texts = Array.from({ length: 80 }, (_, i) => `message ${i}`);
  const posting = (async () => {
    for (const content of texts) await pages.human().thread(id).post({ type: 'message', content });
  })();
  for (const heir of heirs) {
    const seen = (await written(tab)).length;
    await expect.poll(async () => (await written(tab)).length).toBeGreaterThan(Math.min(seen, texts.length - 1));
    await heir.close();
  }
  await posting;
  await see(row(tab, texts.at(-1) as string));
  expect(await written(tab)).toEqual(texts);
});

test('[I21] a dialogue, an exchange and a loom show what the stream brings without reading anything from the server', async () => {
  const first = await pages.open('/');
  for (const kind of ['dialogue', 'exchange', 'loom'] as const) {
    const { id, tab } = await openRoom(first, `Folded ${kind}`, kind);
    await say(id, kind, 'The first of two.');
    await see(tab.getByText('The first of two.'));
    const reads: string[] = [];
    tab.on('request', (request) => {
      const { pathname } = new URL(request.url());
      if (request.method() === 'GET' && pathname.startsWith(`/api/threads/${id}/`)) reads.push(pathname);
    });
    await say(id, kind, ' And the second.', false);
    await see(tab.getByText('And the second.'));
    expect(reads, kind).toEqual([]);
    await tab.close();
  }
});

test('[T3] a hidden tab is not present; one that is looked at again reads what it missed, once, and then follows', async () => {
  const first = await pages.open('/');
  const { id, tab } = await openRoom(first, 'Sleeper');
  await see(tab.getByText('human created the thread'));
  await expect.poll(() => isPresent(id)).toBe(true);
  await turn(tab, 'hidden');
  await expect.poll(() => isPresent(id), { timeout: 15_000 }).toBe(false);
  for (const content of ['missed one', 'missed two']) await pages.human().thread(id).post({ type: 'message', content });
  const reads: string[] = [];
  tab.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url());
    if (pathname.endsWith(`${id}/events`) && searchParams.get('limit') === '1000') reads.push(pathname);
  });
  await turn(tab, 'visible');
  await see(row(tab, 'missed two'));
  await pages.human().thread(id).post({ type: 'message', content: 'live again' });
  await see(row(tab, 'live again'));
  expect(await written(tab)).toEqual(['missed one', 'missed two', 'live again']);
  expect(reads).toHaveLength(1);
  await expect.poll(() => isPresent(id)).toBe(true);

  // Closing the tab ends the presence, though the connection is another tab's.
  await tab.close();
  await expect.poll(() => isPresent(id), { timeout: 15_000 }).toBe(false);
  expect(await openStreams()).toBe(1);
}, 60_000);

test('[T3] a tab that crashed is not present, though it could not say that it left', async () => {
  const first = await pages.open('/');
  const { id, tab } = await openRoom(first, 'Crash');
  await expect.poll(() => isPresent(id)).toBe(true);
  const crashed = tab.waitForEvent('crash');
  void tab.goto('chrome://crash').catch(() => {});
  await crashed;
  await expect.poll(() => isPresent(id), { timeout: 20_000 }).toBe(false);
}, 60_000);

test('[L10] a tab that cannot read what it missed tries again, though nothing new comes', async () => {
  const first = await pages.open('/');
  const { id, tab } = await openRoom(first, 'Twice');
  await see(tab.getByText('human created the thread'));
  await turn(tab, 'hidden');
  await pages.human().thread(id).post({ type: 'message', content: 'missed' });
  // The tab has received all events up to this one, and its room has ignored the message.
  const before = await threadCount(tab);
  await pages.human().threads.create({ title: 'Later', kind: 'conversation' });
  await expect.poll(() => threadCount(tab)).toBe(before + 1);
  let reads = 0;
  await tab.route(`**/api/threads/${id}/events?*limit=1000*`, (route) =>
    reads++ === 0 ? route.abort() : route.continue(),
  );
  await turn(tab, 'visible');
  await see(row(tab, 'missed'));
  expect(reads).toBe(2);
});

test('[I11] [L10] after an older log came back, a room shows what is in it and what is new, and nothing else', async () => {
  const first = await pages.open('/');
  const { id, tab } = await openRoom(first, 'Restored');
  await say(id, 'conversation', 'Kept.');
  await see(tab.getByText('Kept.'));
  const { workspace } = pages.server;
  const copy = `${workspace}-older`;
  await pages.killServer();
  cpSync(workspace, copy, { recursive: true });
  await pages.restartServer();
  for (const text of ['Lost one.', 'Lost two.']) await say(id, 'conversation', text);
  await see(tab.getByText('Lost two.'));
  await pages.killServer();
  rmSync(workspace, { recursive: true });
  renameSync(copy, workspace);
  await pages.restartServer();
  await gone(tab.getByText('Lost two.'));
  for (const text of ['New one.', 'New two.', 'New three.']) await say(id, 'conversation', text);
  await see(tab.getByText('New three.'));
  for (const text of ['Kept.', 'New one.', 'New two.']) await see(tab.getByText(text));
  expect(await tab.getByText(/^Lost/).count()).toBe(0);
});
