import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { createClient } from '../../src/client/index.ts';
import { heddleEntry } from '../support/program/entry.ts';
import { goHome, gone, listed, noSeriousFindings, row, see, setUpPages } from './page-support.ts';

const pages = setUpPages();
const run = promisify(execFile);

async function newThread(title: string, ...messages: string[]) {
  const human = pages.human();
  const { thread } = await human.threads.create({ title });
  for (const content of messages) await human.thread(thread.id).post({ type: 'message', content });
  return thread.id;
}

test('[I11] an empty workspace says what this is, how to start, and nothing else', async () => {
  const page = await pages.open();
  const main = page.getByRole('main');
  await see(main.getByRole('heading', { name: 'Write and think with people and models, and see who did what.' }));
  expect(await main.getByRole('listitem').allInnerTexts()).toEqual([
    expect.stringMatching(/^Threads\s+People and agents talk\s+Begin a thread$/i),
    expect.stringMatching(/^Dialogues\s+A model drafts until you accept\s+Begin a dialogue$/i),
    expect.stringMatching(/^Exchanges\s+Minds debate, you decide\s+Begin an exchange$/i),
    expect.stringMatching(/^Looms\s+A text that branches\s+Begin a loom$/i),
  ]);
  await see(main.getByRole('button', { name: 'Show me with a sample' }));
  const navigation = page.getByRole('navigation');
  await see(navigation.getByText('0 tokens today'));
  expect(await navigation.innerText()).toMatch(
    /^heddle-page-\w+\s+Search or run a command\s+Ctrl K\s+Inbox\s+Threads\s+0\s+Dialogues\s+0\s+Exchanges\s+0\s+Looms\s+0\s+\S+\s+human\s+0 tokens today$/i,
  );
  await noSeriousFindings(page);
});

test('[I17] a browser without a session is told how to get a link; the link works once', async () => {
  const page = await (await pages.newContext()).newPage();
  await page.goto(`${pages.server.url}/threads/x`);
  await see(page.getByText(`heddle --workspace ${pages.server.workspace} token --link`));
  const words = [heddleEntry, 'token', '--link', '--workspace', pages.server.workspace];
  const link = (await run(process.execPath, words)).stdout.trim();
  await page.goto(link);
  await see(page.getByRole('button', { name: 'Begin a thread' }));
  const cookies = await page.context().cookies();
  expect(cookies).toMatchObject([{ httpOnly: true, sameSite: 'Strict' }]);
  expect(await page.evaluate(() => document.cookie)).toBe('');
  const other = await (await pages.newContext()).newPage();
  expect((await other.goto(link))?.status()).toBe(401);
  expect(await other.innerText('body')).toContain('already used');
});

test('[C11] every address can be shared, reloaded, opened in a new tab, and gone back from', async () => {
  const one = await newThread('First address', 'here');
  const two = await newThread('Second address', 'there');
  const page = await pages.open();
  await listed(page, /^First address/).click();
  await see(row(page, 'here'));
  expect(new URL(page.url()).pathname).toBe(`/threads/${one}`);
  await page.getByRole('navigation').getByRole('link', { name: 'Threads' }).click();
  expect(new URL(page.url()).pathname).toBe('/threads');
  await page
    .getByRole('main')
    .getByRole('link', { name: /^Second address/ })
    .click();
  await see(row(page, 'there'));
  await row(page, 'there').getByRole('link', { name: 'Link to this' }).click();
  const event = await row(page, 'there').getAttribute('id');
  expect(page.url()).toBe(`${pages.server.url}/threads/${two}#${event}`);
  await see(page.locator('.entry.target'));
  await page.reload();
  await see(page.locator('.entry.target').getByText('there'));
  const tab = await page.context().newPage();
  await tab.goto(page.url());
  await see(tab.locator('.entry.target').getByText('there'));
  await page.goBack();
  await page.goBack();
  await see(page.getByRole('heading', { name: 'Threads', level: 1 }));
  await page.goBack();
  await see(row(page, 'here'));
  await page.goto(`${pages.server.url}/settings`);
  await see(page.getByRole('heading', { name: 'Settings' }));
  await page.goto(`${pages.server.url}/threads/01NOSUCHTHREAD`);
  await see(page.getByRole('alert').getByText('There is no thread 01NOSUCHTHREAD in this workspace.'));
});

test('[C11] each room, and a place in it, is shown at its own address; what is none is said by the page', async () => {
  const human = pages.human();
  const page = await pages.open();
  for (const kind of ['conversation', 'dialogue', 'exchange', 'loom'] as const) {
    const { thread } = await human.threads.create({ title: `At ${kind}`, kind });
    const room = kind === 'conversation' ? 'threads' : kind;
    expect((await page.goto(`${pages.server.url}/${room}/${thread.id}`))?.status()).toBe(200);
    await see(page.getByRole('heading', { name: `At ${kind}`, level: 1 }));
  }
  const { thread: loom } = await human.threads.create({ title: 'Two ends', kind: 'loom', setup: { text: 'Begun.' } });
  const remote = human.thread(loom.id);
  const { tip } = await remote.loom.path();
  await remote.command('commit', { text: ' One end.' });
  await remote.command('commit', { text: ' Another end.', after: tip });
  const nodes = (await remote.loom.search({ words: 'One end' })).found;
  await page.goto(`${pages.server.url}/loom/${loom.id}?node=${nodes[0]?.node}`);
  await see(page.getByRole('textbox', { name: 'Text of the loom' }).getByText('Begun. One end.'));

  expect((await page.goto(`${pages.server.url}/loom/`))?.status()).toBe(404);
  await see(page.getByRole('heading', { name: 'Page not found' }));
  await see(page.getByText('/loom/', { exact: true }));
  await expect.poll(() => page.title()).toBe('Page not found · Heddle');
  await page.getByRole('main').getByRole('button', { name: 'Search' }).click();
  await page.keyboard.type('two ends');
  await page.keyboard.press('Enter');
  await see(page.getByRole('heading', { name: 'Two ends', level: 1 }));
  await page.goto(`${pages.server.url}/foo`);
  await page.getByRole('link', { name: 'Go to the inbox' }).click();
  await see(page.getByRole('heading', { name: 'Inbox', level: 1 }));
  const stranger = await (await pages.newContext()).newPage();
  await stranger.goto(`${pages.server.url}/foo`);
  await see(stranger.getByText('token --link'));
});

test('[I17] a link signs a browser in by itself, or by its button where scripts are off', async () => {
  const link = async () => (await pages.human().signInLink()).url;
  const page = await (await pages.newContext()).newPage();
  await page.goto(await link());
  await see(page.getByRole('status').getByText('connected'));
  expect(new URL(page.url()).pathname).toBe('/');

  const plain = await pages.newContext({ javaScriptEnabled: false });
  const form = await plain.newPage();
  await form.goto(await link());
  expect(await plain.cookies()).toEqual([]);
  await form.getByRole('button', { name: 'Sign in' }).click();
  await expect.poll(() => new URL(form.url()).pathname).toBe('/');
  expect((await plain.request.get(`${pages.server.url}/api/me`)).status()).toBe(200);
});

test('[I17] settings: a token works until it is revoked; signing out ends the session in every tab', async () => {
  const page = await pages.open('/settings');
  await page.getByLabel('For participant').fill('gamma');
  await page.keyboard.press('Enter');
  const shown = page.getByText('The token of ');
  await see(shown);
  const token = await shown.locator('code').innerText();
  const gamma = createClient({ url: pages.server.url, token });
  expect((await gamma.me()).me).toMatchObject({ participant: 'gamma', kind: 'agent' });
  await page.reload();
  const listed = page.getByRole('listitem').filter({ hasText: 'gamma' });
  await see(listed);
  expect(await page.getByRole('main').innerText()).not.toContain(token);
  await listed.getByRole('button', { name: 'Revoke' }).click();
  await gone(listed);
  await expect(gamma.me()).rejects.toMatchObject({ code: 'unauthenticated' });

  const other = await page.context().newPage();
  await other.goto(pages.server.url);
  await see(other.getByRole('status').getByText('connected'));
  await page.getByRole('button', { name: 'Sign out' }).click();
  await see(page.getByText('This browser is not signed in.'));
  await see(other.getByText('This browser is not signed in.'));
});

test('[I11] everything can be done by keyboard', async () => {
  const page = await pages.open();
  const { keyboard } = page;
  const focused = () =>
    page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.tagName);
  await keyboard.press('n');
  await keyboard.type('By hand');
  await keyboard.press('Enter');
  await see(page.getByRole('heading', { name: 'By hand', level: 1 }));
  await expect.poll(focused).toBe('Your message');
  await keyboard.type('first');
  await keyboard.press('Shift+Enter');
  await keyboard.type('second line');
  await keyboard.press('Enter');
  await see(row(page, 'second line'));
  await gone(page.locator('.outgoing'));
  await keyboard.press('Escape');
  await keyboard.press('k');
  await expect.poll(focused).toBe('human: first');
  await keyboard.press('k');
  await expect.poll(focused).toBe('human created the thread');
  await keyboard.press('j');
  await keyboard.press('r');
  await expect.poll(focused).toBe('Your reply to human');
  await keyboard.type('answered');
  await keyboard.press('Enter');
  await see(row(page, 'answered').getByRole('link', { name: 'human: first' }));
  await keyboard.press('Escape');

  await keyboard.press('?');
  await see(page.getByRole('dialog', { name: 'Keys' }));
  await keyboard.press('Escape');
  await gone(page.getByRole('dialog'));
  await keyboard.press('p');
  await gone(page.getByRole('complementary'));
  await keyboard.press('p');
  await see(page.getByRole('complementary'));

  const threadCount = async () =>
    page
      .getByRole('navigation')
      .getByRole('link', { name: /^Threads/ })
      .innerText();
  const before = Number(/\d+/.exec(await threadCount())?.[0]);
  await newThread('Somewhere else');
  await expect.poll(threadCount).toMatch(new RegExp(`\\b${before + 1}\\b`));
  await keyboard.press('Control+k');
  await keyboard.type('somew else');
  await keyboard.press('Enter');
  await see(page.getByRole('heading', { name: 'Somewhere else', level: 1 }));
  await expect.poll(focused).toBe('Your message');
  await keyboard.press('Escape');
  await keyboard.press('/');
  await keyboard.type('by han');
  await keyboard.press('Enter');
  await see(row(page, 'answered'));

  // Tab alone reaches the panel.
  const reached: (string | null | undefined)[] = [];
  for (let index = 0; index < 60 && !reached.includes('Invite'); index++) {
    await keyboard.press('Tab');
    reached.push(await page.evaluate(() => document.activeElement?.textContent));
    const outlined = await page.evaluate(() => {
      const element = document.activeElement as HTMLElement;
      if (element === document.body) return true;
      const style = getComputedStyle(element);
      const bar = getComputedStyle(element, '::before').width === '2px';
      // A composer shows the focus of its field around the whole box.
      const box = getComputedStyle(element.parentElement as HTMLElement).boxShadow;
      const ground = style.backgroundImage;
      return style.outlineStyle !== 'none' || style.boxShadow !== 'none' || bar || box !== 'none' || ground !== 'none';
    });
    expect(outlined, `focus is seen on ${reached.at(-1)}`).toBe(true);
  }
  expect(reached).toContain('Invite');
  await keyboard.press('Enter');
  await see(page.getByRole('dialog', { name: 'Invite' }));
  await keyboard.press('Space');
  await expect
    .poll(() => page.getByLabel('ID', { exact: true }).evaluate((field) => field.matches(':focus')))
    .toBe(true);
  await keyboard.type('alpha');
  await keyboard.press('Enter');
  await see(page.getByRole('feed').getByText('human invited alpha'));
});

test('[I11] single letters can be switched off', async () => {
  const page = await pages.open('/settings');
  await page.getByRole('switch', { name: 'Single-key shortcuts' }).uncheck();
  await page.getByRole('heading', { name: 'Settings' }).click();
  await page.keyboard.press('n');
  await page.keyboard.press('Control+k');
  await see(page.getByRole('dialog', { name: 'Search or run a command' }));
  expect(await page.getByRole('dialog').count()).toBe(1);
});

test('[I11] unsent text outlasts Esc, another thread and a reload', async () => {
  const one = await newThread('Half a thought');
  await newThread('Another matter');
  const page = await pages.open(`/threads/${one}`);
  const field = page.getByLabel('Your message');
  await field.fill('not yet');
  await page.keyboard.press('Escape');
  await goHome(page);
  await listed(page, /^Another matter/).click();
  await see(page.getByRole('heading', { name: 'Another matter' }));
  expect(await field.inputValue()).toBe('');
  await goHome(page);
  await listed(page, /^Half a thought/).click();
  await see(page.getByRole('heading', { name: 'Half a thought' }));
  expect(await field.inputValue()).toBe('not yet');
  await page.reload();
  await expect.poll(() => field.inputValue()).toBe('not yet');
});

test('[I11] two tabs of one thread have each their own unsent text, also after a reload of both', async () => {
  const id = await newThread('Two minds');
  const one = await pages.open(`/threads/${id}`);
  const two = await one.context().newPage();
  await two.goto(one.url());
  const fields = [one, two].map((tab) => tab.getByLabel('Your message'));
  for (const [i, field] of fields.entries()) await field.fill(`text of tab ${i}`);
  await Promise.all([one.reload(), two.reload()]);
  for (const [i, field] of fields.entries()) await expect.poll(() => field.inputValue()).toBe(`text of tab ${i}`);
  // A duplicate begins with what the browser copies: the session of the tab.
  const duplicate = await one.context().newPage();
  const session = await one.evaluate(() => ({ ...sessionStorage }));
  await duplicate.addInitScript((copy) => Object.assign(sessionStorage, copy), session);
  await duplicate.goto(one.url());
  await see(duplicate.getByLabel('Your message'));
  expect(await duplicate.getByLabel('Your message').inputValue()).toBe('');
});

test.each(['closed', 'crashed'])(
  '[I11] the text of a tab that was %s comes back once, in the next tab',
  async (end) => {
    const id = await newThread(`Left by one that ${end}`);
    const first = await pages.open('/');
    const tab = await first.context().newPage();
    await tab.goto(`${pages.server.url}/threads/${id}`);
    await tab.getByLabel('Your message').fill('not yet');
    if (end === 'closed') await tab.close();
    else {
      const crash = tab.waitForEvent('crash');
      void tab.goto('chrome://crash').catch(() => {});
      await crash;
    }
    const livingTabs = async () =>
      (await navigator.locks.query()).held?.filter(({ name }) => name?.startsWith('heddle.tab')).length;
    await expect.poll(() => first.evaluate(livingTabs)).toBe(1);
    await listed(first, `Left by one that ${end}`).click();
    await expect.poll(() => first.getByLabel('Your message').inputValue()).toBe('not yet');
    const next = await first.context().newPage();
    await next.goto(first.url());
    await see(next.getByLabel('Your message'));
    expect(await next.getByLabel('Your message').inputValue()).toBe('');
  },
);
