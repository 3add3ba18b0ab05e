import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { heddleEntry } from '../support/program/entry.ts';
import { gone, listed, row, see, setUpPages, write, written } from './page-support.ts';

const pages = setUpPages();
const run = promisify(execFile);

async function newThread(title: string, ...messages: string[]) {
  const human = pages.human();
  const { thread } = await human.threads.create({ title });
  for (const content of messages) await human.thread(thread.id).post({ type: 'message', content });
  return thread.id;
}

test('[I11] what is written in one tab appears in the other, and so does who is typing', async () => {
  const id = await newThread('Two tabs');
  const one = await pages.open(`/threads/${id}`);
  const two = await one.context().newPage();
  await two.goto(one.url());
  await see(two.getByText('human created the thread'));
  const agent = await pages.agent('alpha');
  const page = await pages.open(`/threads/${id}`);
  await one.getByLabel('Your message').pressSequentially('Hel');
  await see(page.getByRole('complementary').getByText('Online, typing'));
  await one.getByLabel('Your message').fill('Hello');
  await one.keyboard.press('Enter');
  await see(row(two, 'Hello'));
  await agent.thread(id).post({ type: 'message', content: 'Good day' });
  await Promise.all([one, two, page].map((tab) => see(row(tab, 'Good day'))));
  expect(await written(two)).toEqual(['Hello', 'Good day']);
});

test('[I11] [L10] a restart of the server loses nothing, doubles nothing and keeps the order', async () => {
  const id = await newThread('Restart', 'before');
  const page = await pages.open(`/threads/${id}`);
  await see(row(page, 'before'));

  await pages.killServer();
  await see(page.getByRole('status').getByText('reconnecting'));
  await see(page.getByRole('region', { name: 'People' }).getByText('Not connected: who is online is unknown.'));
  await write(page, 'written while away');
  await see(row(page, 'written while away').getByText('Waits for a connection'));
  await see(page.getByText('Not sent yet'));
  await see(page.getByText('Offline, reconnecting. 1 message is kept here and will be sent.'));
  for (const text of ['from the command line, one', 'from the command line, two']) {
    await run(process.execPath, [heddleEntry, 'post', id, text, '--workspace', pages.server.workspace]);
  }
  await pages.restartServer();

  await see(page.getByRole('status').getByText('connected', { exact: true }));
  await gone(page.locator('.outgoing'));
  await pages.human().thread(id).post({ type: 'message', content: 'after' });
  await see(row(page, 'after'));
  const expected = [
    'before',
    'from the command line, one',
    'from the command line, two',
    'written while away',
    'after',
  ];
  expect(await written(page)).toEqual(expected);
  const stored = (await pages.human().thread(id).events()).events.filter(({ type }) => type === 'message');
  expect(stored.map(({ content }) => content)).toEqual(expected);
}, 60_000);

test('[L7] a message whose answer was lost is sent again and stored once', async () => {
  const id = await newThread('Lost answers');
  const page = await pages.open(`/threads/${id}`);
  await see(page.getByText('human created the thread'));
  let lost = 0;
  await page.route('**/api/threads/*/events', async (route) => {
    if (route.request().method() !== 'POST' || lost++ > 0) return route.continue();
    await route.fetch();
    await route.abort();
  });
  await write(page, 'only once');
  await see(row(page, 'only once'));
  await gone(page.locator('.outgoing'));
  await expect.poll(() => lost).toBe(2);
  expect(await written(page)).toEqual(['only once']);
  const { events } = await pages.human().thread(id).events();
  expect(events.filter(({ type }) => type === 'message')).toHaveLength(1);
});

test('[I11] messages written quickly keep their order, and what waits outlasts a reload', async () => {
  const id = await newThread('Quick');
  const page = await pages.open(`/threads/${id}`);
  await see(page.getByText('human created the thread'));
  await page.route('**/api/threads/*/events', (route) =>
    route.request().method() === 'POST' ? route.abort() : route.continue(),
  );
  const words = Array.from({ length: 8 }, (_, index) => `word ${index}`);
  for (const word of words) await write(page, word);
  expect(await page.locator('.outgoing').count()).toBe(words.length);
  await page.unroute('**/api/threads/*/events');
  await page.reload();
  await gone(page.locator('.outgoing'));
  await see(row(page, 'word 7'));
  expect(await written(page)).toEqual(words);
});

test('[I11] a long thread opens at its end; older and newer parts are read as one scrolls, and what is read stays in place', async () => {
  const id = await newThread('Long');
  const thread = pages.human().thread(id);
  const count = 1_500;
  for (let at = 0; at < count; at += 100) {
    const posts = Array.from({ length: 100 }, (_, index) =>
      thread.post({ type: 'message', content: `number ${at + index}` }),
    );
    await Promise.all(posts);
  }
  const { events } = await thread.events({ limit: 1000 });
  const order = [...events, ...(await thread.events({ limit: 1000, after: `t1.${(1000).toString(36)}` })).events];
  const texts = order.flatMap(({ type, content }) => (type === 'message' ? [content as string] : []));
  expect(texts).toHaveLength(count);

  const page = await pages.open(`/threads/${id}`);
  await see(row(page, texts.at(-1) as string));
  const area = page.locator('.timeline');
  const rows = page.locator('.entry.message');
  expect(await rows.count()).toBeLessThan(250);

  // Upwards until more has been read than is ever kept.
  let moved = 0;
  const newest = page.getByRole('button', { name: 'Jump to latest' });
  for (let first = await rows.first().innerText(); !(await newest.isVisible()); ) {
    moved = await area.evaluate(async (element) => {
      element.scrollTop = 300;
      const top = () => element.getBoundingClientRect().top;
      const seen = [...element.querySelectorAll('article')].find(
        (one) => one.getBoundingClientRect().bottom > top() + 1,
      );
      const before = (seen?.getBoundingClientRect().top ?? 0) - top();
      const height = element.scrollHeight;
      await new Promise<void>((resolve) => {
        const watcher = new MutationObserver(() => requestAnimationFrame(() => resolve()));
        watcher.observe(element, { childList: true, subtree: true });
        if (element.scrollHeight !== height) resolve();
      });
      return Math.abs((seen?.getBoundingClientRect().top ?? 0) - top() - before);
    });
    expect(moved).toBeLessThan(2);
    await expect.poll(() => rows.first().innerText()).not.toBe(first);
    first = await rows.first().innerText();
  }
  expect(await rows.count()).toBeLessThanOrEqual(200);

  // What is shown is a stretch without gaps.
  const shown = await written(page);
  const from = texts.indexOf(shown[0] as string);
  expect(shown).toEqual(texts.slice(from, from + shown.length));

  await page.keyboard.press('Home');
  await see(page.getByText('human created the thread'));
  await page.keyboard.press('End');
  await see(row(page, texts.at(-1) as string));
  await write(page, 'at the end');
  await see(row(page, 'at the end'));

  const middle = order[700];
  await page.goto(`${pages.server.url}/threads/${id}#${middle?.id}`);
  await page.reload();
  await see(page.locator(`[id="${middle?.id}"].target`));
  expect(await page.evaluate(() => document.activeElement?.id)).toBe(middle?.id);

  // On a screen that shows both ends of what is kept, only that end is read on to which one goes.
  const high = await pages.open(`/threads/${id}`, { viewport: { width: 1280, height: 4000 } });
  await see(row(high, 'at the end'));
  // Counts of what is unread are requested before the stream is.
  await see(high.getByRole('status').getByText('connected', { exact: true }));
  const reads: string[] = [];
  high.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url());
    if (pathname.endsWith('/events') && searchParams.has('limit')) reads.push(...searchParams.keys());
  });
  const top = high.locator('.entry').first();
  while (!(await high.getByRole('button', { name: 'Jump to latest' }).isVisible())) {
    const first = await top.getAttribute('id');
    await high.locator('.timeline').evaluate((element) => {
      element.scrollTop = Math.min(300, element.scrollTop - 50);
    });
    await expect.poll(() => top.getAttribute('id')).not.toBe(first);
  }
  expect(new Set(reads)).toEqual(new Set(['before', 'limit']));
});

test('[I11] more tabs than a browser opens connections all hear the same, and go on when the first is closed', async () => {
  const first = await pages.open('/');
  const tabs = [first];
  for (let index = 0; index < 7; index++) {
    const tab = await first.context().newPage();
    await tab.goto(pages.server.url);
    await see(tab.getByRole('status').getByText('connected'));
    tabs.push(tab);
  }
  await newThread('Heard everywhere');
  await Promise.all(tabs.map((tab) => see(tab.getByRole('link', { name: /Heard everywhere/ }))));
  await first.close();
  await newThread('Heard by the rest');
  await Promise.all(tabs.slice(1).map((tab) => see(tab.getByRole('link', { name: /Heard by the rest/ }))));
});

test('[I11] [T3] rooms in tabs nobody looks at keep no connection: one that is looked at opens and goes on', async () => {
  const rooms = { conversation: 'threads', dialogue: 'dialogue', exchange: 'exchange', loom: 'loom' } as const;
  const first = await pages.open('/');
  const behind = async (path: string) => {
    const tab = await first.context().newPage();
    await tab.addInitScript(() => Object.defineProperty(document, 'visibilityState', { get: () => 'hidden' }));
    await tab.goto(pages.server.url + path);
    return tab;
  };
  for (const kind of ['conversation', 'dialogue', 'exchange', 'loom', 'loom', 'loom', 'loom'] as const) {
    const { thread } = await pages.human().threads.create({ title: `Behind ${kind}`, kind });
    const tab = await behind(`/${rooms[kind]}/${thread.id}`);
    await see(tab.getByRole('heading', { name: `Behind ${kind}`, level: 1 }));
  }
  const { thread } = await pages.human().threads.create({ title: 'In front', kind: 'loom', setup: { text: 'Once.' } });
  const front = await first.context().newPage();
  await front.goto(`${pages.server.url}/loom/${thread.id}`);
  const text = front.getByRole('textbox', { name: 'Text of the loom' });
  await see(text.getByText('Once.'));
  await front.keyboard.type(' More.');
  await front.keyboard.press('Control+s');
  await expect
    .poll(async () => (await pages.human().thread(thread.id).loom.path()).text, { timeout: 10_000 })
    .toBe('Once. More.');
});

test('[I11] more rooms side by side than a browser opens connections: each hears what happens and can be written in', async () => {
  const first = await pages.open('/');
  const id = await newThread('Seen in seven windows');
  const { thread: loom } = await pages.human().threads.create({ title: 'Beside them', kind: 'loom' });
  const windows = [];
  for (let index = 0; index < 7; index++) {
    const window = await first.context().newPage();
    await window.goto(`${pages.server.url}/threads/${id}`);
    await see(window.getByText('human created the thread'));
    windows.push(window);
  }
  const last = await first.context().newPage();
  await last.goto(`${pages.server.url}/loom/${loom.id}`);
  await see(last.getByRole('textbox', { name: 'Text of the loom' }));
  await pages.human().thread(loom.id).command('commit', { text: 'Written elsewhere.' });
  await see(last.getByText('Written elsewhere.'));

  for (const [index, window] of windows.entries()) await write(window, `from window ${index}`);
  for (const window of windows) for (const index of windows.keys()) await see(row(window, `from window ${index}`));
});

test('[I12] what is new is counted, what asks for the person comes first, and looking settles both', async () => {
  const agent = await pages.agent('alpha');
  const page = await pages.open('/');
  const quiet = await newThread('Only news');
  const asking = await newThread('A question');
  // Threads of other tests may have news too.
  const counted = (title: string) => Number(/^\((\d+)\)/.exec(title)?.[1] ?? 0);
  await see(page.getByRole('link', { name: /A question/ }));
  const before = counted(await page.title());
  await agent.thread(quiet).post({ type: 'message', content: 'one' });
  await agent.thread(quiet).post({ type: 'message', content: 'two' });
  await see(listed(page, /^Only news .*2 new$/));
  await agent.thread(asking).post({ type: 'message', to: 'human', content: 'Shall I?' });
  const needs = page.getByRole('region', { name: 'Needs you' }).getByRole('link', { name: /alpha wrote to you/ });
  await see(needs);
  await expect.poll(async () => counted(await page.title())).toBe(before + 2);
  await needs.click();
  await see(row(page, 'Shall I?'));
  await expect.poll(() => page.title()).toBe(`(${before + 1}) A question · Heddle`);

  // Away and back: the new ones are marked where they begin, also after a reload.
  await page.goto(pages.server.url);
  await see(listed(page, /^Only news .*2 new$/));
  await agent.thread(asking).post({ type: 'message', content: 'I went ahead.' });
  await gone(needs);
  await listed(page, /^A question .*1 new$/).click();
  const mark = page.getByText('New since you last looked');
  await see(row(page, 'I went ahead.').locator(mark));
  await page.reload();
  await see(row(page, 'I went ahead.'));
  await gone(mark);

  // What comes before one's eyes is not marked; what came while another tab was before them is.
  await agent.thread(asking).post({ type: 'message', content: 'You see this.' });
  await see(row(page, 'You see this.'));
  expect(await mark.count()).toBe(0);
  const turn = (to: 'hidden' | 'visible') =>
    page.evaluate((value) => {
      Object.defineProperty(document, 'visibilityState', { value, configurable: true });
      document.dispatchEvent(new Event('visibilitychange'));
    }, to);
  await turn('hidden');
  for (const content of ['Behind you.', 'Still.']) await agent.thread(asking).post({ type: 'message', content });
  await turn('visible');
  await see(row(page, 'Behind you.').locator(mark));
  await see(row(page, 'Still.'));
  expect(await mark.count()).toBe(1);
});

test('[I11] new messages are announced to those who do not see them', async () => {
  const agent = await pages.agent('alpha');
  const id = await newThread('Announced');
  const page = await pages.open(`/threads/${id}`);
  await see(page.getByText('human created the thread'));
  await agent.thread(id).post({ type: 'message', content: '**Rain** tomorrow' });
  const region = page.locator('[aria-live=polite]');
  await expect.poll(() => region.allInnerTexts()).toContain('alpha: Rain tomorrow');
});
