import type { Page } from 'playwright-core';
import { afterEach, expect, test } from 'vitest';
import { createClient } from '../../src/client/index.ts';
import { kept, keptRecords } from './page-offline-support.ts';
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
  expect(await offlineLine(page).innerText()).toMatch(
    /You see the workspace as of \d\d:\d\d\. Your text is kept here\./,
  );
  await see(listed(page, /^Garden loom/));
  for (const { room, path } of rooms) {
    await page.goto(pages.server.url + path);
    await see(page.getByText(`First words of ${room}`));
    await see(offlineLine(page));
  }
});

test('[I22] what came while a room was open is there without a server, and a room never opened here says so', async () => {
  const page = await openInstalled();
  const talk = await createThread('threads', 'Talk', 'before it was opened');
  const story = await createThread('loom', 'Story', 'Once there was');
  const unknown = await createThread('exchange', 'Never opened', 'not for this device');
  await page.goto(pages.server.url + story.path);
  await see(page.getByText('Once there was'));
  await say('loom', story.id, ' a weaver.');
  await see(page.getByText('Once there was a weaver.'));
  await kept(page, ' a weaver.');
  await page.goto(pages.server.url + talk.path);
  await see(row(page, 'before it was opened'));
  await say('threads', talk.id, 'while it was open');
  await see(row(page, 'while it was open'));
  await kept(page, 'while it was open');
  await takeServerAway();

  await page.reload();
  await see(row(page, 'while it was open'));
  expect(await written(page)).toEqual(['before it was opened', 'while it was open']);
  await page.goto(pages.server.url + story.path);
  await see(page.getByText('Once there was a weaver.'));
  await page.getByLabel('Text of the loom').press('x');
  await see(page.getByText('You are offline, so this loom can only be read.'));
  await page.goto(pages.server.url + unknown.path);
  await see(page.getByText('This thread is not kept on this device; the 20 you opened last are.'));

  await bringServerBack();
  await see(page.getByText('not for this device'));
  await gone(offlineLine(page));
});

test('[I22] when the server is back, a page opened without it is live, and what was written is sent once', async () => {
  const page = await openInstalled();
  const { id, path } = await createThread('threads', 'Letters', 'the first letter');
  await page.goto(pages.server.url + path);
  await see(row(page, 'the first letter'));
  await kept(page, 'the first letter');
  await takeServerAway();

  await page.reload();
  await see(row(page, 'the first letter'));
  await write(page, 'written offline');
  await see(offlineLine(page).getByText('1 message is kept here and will be sent.'));
  await page.getByLabel('Your message').fill('not finished');
  await bringServerBack();
  await gone(offlineLine(page));
  await expect.poll(() => written(page)).toEqual(['the first letter', 'written offline']);
  await say('threads', id, 'an answer to it');
  await see(row(page, 'an answer to it'));
  expect(await page.getByLabel('Your message').inputValue()).toBe('not finished');
  const sent = async () => (await pages.human().thread(id).events()).events.map(({ content }) => content);
  await expect.poll(sent).toContain('written offline');
  expect((await sent()).filter((content) => content === 'written offline')).toHaveLength(1);
});

test('[I22] what was written without a server is sent from wherever the page is when the server is back', async () => {
  const page = await openInstalled();
  const { id, path } = await createThread('threads', 'Post', 'a first line');
  await page.goto(pages.server.url + path);
  await see(row(page, 'a first line'));
  await kept(page, 'a first line');
  await takeServerAway();
  await page.reload();
  await see(row(page, 'a first line'));
  await write(page, 'and then I left');
  await page.goto(pages.server.url);
  await see(offlineLine(page).getByText('1 message is kept here and will be sent.'));
  await bringServerBack();
  const sent = async () => (await pages.human().thread(id).events()).events.map(({ content }) => content);
  await expect.poll(sent).toContain('and then I left');
  await expect.poll(() => page.evaluate(() => Object.keys(localStorage).join())).not.toContain('outbox');
});

test('[I22] a loom opened without a server can be written in when the server is back', async () => {
  const page = await openInstalled();
  const { path } = await createThread('loom', 'Tale', 'It began');
  await page.goto(pages.server.url + path);
  await see(page.getByText('It began'));
  await kept(page, 'It began');
  await takeServerAway();
  await page.reload();
  await see(page.getByText('It began'));

  await bringServerBack();
  await gone(offlineLine(page));
  // A key goes into the text as soon as the loom is no longer the kept one.
  await expect
    .poll(async () => {
      await page.keyboard.press('!');
      return page.getByLabel('Text of the loom').innerText();
    })
    .toMatch(/^It began!+/);
});

test('[I22] a page that loses its server still opens the rooms it has kept', async () => {
  const page = await openInstalled();
  const { path } = await createThread('dialogue', 'Old talk', 'asked long ago');
  await page.goto(pages.server.url + path);
  await see(page.getByText('asked long ago'));
  await kept(page, 'asked long ago');
  await page.goto(pages.server.url);
  await see(listed(page, /^Old talk/));
  await takeServerAway();
  await see(offlineLine(page));
  await listed(page, /^Old talk/).click();
  await see(page.getByText('asked long ago'));
});

test('[I22] signing out deletes everything that was kept, and the next person without a server sees none of it', async () => {
  const page = await openInstalled();
  const { path } = await createThread('threads', 'Diary', 'a secret of mine');
  await page.goto(pages.server.url + path);
  await see(row(page, 'a secret of mine'));
  await kept(page, 'a secret of mine');
  const other = await page.context().newPage();
  await other.goto(pages.server.url + path);
  await see(row(other, 'a secret of mine'));

  await page.goto(`${pages.server.url}/settings#browser`);
  await page.getByRole('button', { name: 'Sign out' }).click();
  await see(page.getByRole('heading', { name: 'Sign in' }));
  await see(other.getByRole('heading', { name: 'Sign in' }));
  await nothingIsKept(page);
  await takeServerAway();
  for (const address of ['/', path]) {
    await page.goto(pages.server.url + address);
    await see(page.getByRole('heading', { name: 'The server does not answer' }));
    expect(await page.content()).not.toContain('secret');
  }
});

test('[I22] a revoked session leaves nothing behind, even in a page that was closed at that time', async () => {
  const page = await openInstalled();
  const { path } = await createThread('threads', 'Revoked', 'only for me');
  await page.goto(pages.server.url + path);
  await see(row(page, 'only for me'));
  await kept(page, 'only for me');
  await page.goto('about:blank');
  const { credentials } = await pages.human().credentials.list();
  const sessions = credentials.filter(({ use }) => use === 'session');
  for (const { id } of sessions) await pages.human().credentials.revoke(id);

  await page.goto(pages.server.url + path);
  await see(page.getByRole('heading', { name: 'Sign in' }));
  await nothingIsKept(page);
  await takeServerAway();
  await page.goto(pages.server.url + path);
  await see(page.getByRole('heading', { name: 'The server does not answer' }));
});

test('[I22] what one session kept is deleted when another one begins in the same browser', async () => {
  const page = await openInstalled();
  const { path } = await createThread('threads', 'Mine', 'seen by the first');
  await page.goto(pages.server.url + path);
  await see(row(page, 'seen by the first'));
  await kept(page, 'seen by the first');
  await page.goto((await pages.human().signInLink()).url);
  await see(page.getByRole('heading', { name: 'Inbox' }));
  await expect.poll(async () => (await keptRecords(page)).texts).toBeUndefined();
});

test('[I22] what was kept is shown for no longer than a session lives', async () => {
  const page = await openInstalled();
  await kept(page, 'rows', 'page');
  await takeServerAway();
  await page.clock.setSystemTime(Date.now() + 29 * 86_400_000);
  await page.reload();
  await see(offlineLine(page));
  await page.clock.setSystemTime(Date.now() + 31 * 86_400_000);
  await page.reload();
  await see(page.getByRole('heading', { name: 'The server does not answer' }));
  await nothingIsKept(page);
});

/** No record of the workspace, and in the caches only the page's own files. */
async function nothingIsKept(page: Page): Promise<void> {
  await expect.poll(() => keptRecords(page)).toEqual({});
  const paths = await page.evaluate(async () => {
    const requests = await Promise.all((await caches.keys()).map(async (name) => (await caches.open(name)).keys()));
    return requests.flat().map(({ url }) => new URL(url).pathname);
  });
  expect(paths).toContain('/');
  expect(paths.filter((path) => !/^\/(assets\/.*|icon.*\.svg|manifest\.webmanifest)?$/.test(path))).toEqual([]);
}

test('[I22] what I left unsent is neither shown to the next person in this browser nor sent in their name', async () => {
  const { id, path } = await createThread('threads', 'Shared desk', 'Who sits here?');
  const { token } = await pages.human().credentials.issue({ participant: 'ada', kind: 'human' });
  const ada = createClient({ url: pages.server.url, token });
  const posted = async () =>
    (await pages.human().thread(id).events({ limit: 100 })).events.map(({ from, content }) => `${from}: ${content}`);
  const page = await pages.open(path);
  await see(row(page, 'Who sits here?'));
  await page.context().setOffline(true);
  await write(page, 'I resign');
  await see(row(page, 'I resign'));
  await page.getByLabel('Your message').fill('a private note');
  await page.context().clearCookies();
  await page.context().setOffline(false);
  await see(page.getByText('token --link'));

  await page.goto((await ada.signInLink()).url);
  await see(page.getByRole('status').getByText('connected', { exact: true }));
  await page.goto(pages.server.url + path);
  await write(page, 'I am new here');
  await expect.poll(posted).toContain('ada: I am new here');
  expect(await page.getByText('I resign').count()).toBe(0);
  expect(await page.getByLabel('Your message').inputValue()).toBe('');

  // Another tab that still shows ada becomes the next person's.
  const other = await page.context().newPage();
  await other.goto((await pages.human().signInLink()).url);
  await see(other.getByRole('status').getByText('connected', { exact: true }));
  await expect.poll(posted).toContain('human: I resign');
  expect((await posted()).filter((line) => line.endsWith('I resign'))).toEqual(['human: I resign']);
  await write(page, 'Back again');
  await expect.poll(posted).toContain('human: Back again');
});
