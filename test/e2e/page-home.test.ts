import { readFileSync } from 'node:fs';
import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { gone, noSeriousFindings, row, see, setUpPages, shortcut } from './page-support.ts';

const pages = setUpPages();

/** Goes on with Tab until a link or a button of this name has the focus, as somebody without a mouse does. */
async function tabTo(page: Page, name: RegExp): Promise<void> {
  for (let step = 0; step < 80; step++) {
    await page.keyboard.press('Tab');
    const text = await page.evaluate(() => (document.activeElement as HTMLElement | null)?.innerText ?? '');
    if (name.test(text)) return;
  }
  throw new Error(`Tab does not reach ${name}.`);
}

async function find(page: Page, words: string): Promise<void> {
  await page.keyboard.press('Control+k');
  await see(page.getByRole('dialog', { name: 'Search or run a command' }));
  await page.keyboard.type(words);
}

const marked = (page: Page) => page.locator('[role=option][aria-selected=true]');

test('[I31] home says what needs you and leads to the very place; begun in one step; by keyboard alone', async () => {
  const human = pages.human();
  const alpha = await pages.agent('alpha');
  const { thread: asking } = await human.threads.create({ title: 'Beans' });
  const { event } = await alpha.thread(asking.id).post({ type: 'message', to: 'human', content: 'Beans first?' });
  const { thread: drafting } = await human.threads.create({ title: 'ציפור '.repeat(30).trim() });
  const profile = { kind: 'agent', posting: 'draft' } as const;
  await human.thread(drafting.id).post({ type: 'control', content: { invite: { participant_id: 'alpha', profile } } });
  await alpha.thread(drafting.id).post({ type: 'message', content: 'I would say no.' });
  const { thread: left } = await human.threads.create({ title: 'Why salt?', kind: 'dialogue' });
  await human.thread(left.id).command('message', { text: 'Why is the sea salt?' });

  const page = await pages.open();
  const needs = page.getByRole('main').getByRole('region', { name: 'Needs you' });
  await see(needs.getByText('wrote to you'));
  const names = (all: Locator) => all.evaluateAll((each) => each.map((card) => card.getAttribute('aria-label')));
  expect(await names(needs.getByRole('article'))).toEqual([
    'alpha wrote a draft that waits for your approval',
    'alpha wrote to you',
  ]);
  expect(await names(page.getByRole('region', { name: 'Can wait' }).getByRole('article'))).toEqual([
    'The mind has not started on your message',
  ]);
  await see(needs.getByRole('article', { name: 'alpha wrote to you' }).getByText('Beans first?'));
  await see(page.getByRole('navigation').getByText('2 need you'));
  await expect.poll(() => page.title()).toBe('(2) Heddle');
  await noSeriousFindings(page, 'home');
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await see(page.locator('.entry.target').getByText('Beans first?'));
  expect(new URL(page.url()).hash).toBe(`#${event.id}`);
  await see(page.getByRole('navigation').getByText('1 needs you'));

  await find(page, 'inbox what');
  await page.keyboard.press('Enter');
  await see(page.getByRole('heading', { name: 'Inbox', level: 1 }));
  await gone(page.getByRole('article', { name: 'alpha wrote to you' }));
  await tabTo(page, /^alpha wrote a draft/);
  await page.keyboard.press('Enter');
  await see(page.locator('.draft.target').getByText('I would say no.'));
  await page.goBack();
  await see(page.getByRole('heading', { name: 'Inbox', level: 1 }));
  await find(page, 'begin a loom');
  await page.keyboard.press('Enter');
  await see(page.getByRole('textbox', { name: 'Text of the loom' }));
  await page.keyboard.type('A heron stood');
  await expect.poll(() => page.title()).toMatch(/New loom, .* · Heddle$/);
  await find(page, 'rename');
  await page.keyboard.press('Enter');
  await page.keyboard.type('The heron');
  await page.keyboard.press('Enter');
  await see(page.getByRole('heading', { name: 'The heron', level: 1 }));
  await page.keyboard.type(' still.');
  await see(page.getByRole('textbox', { name: 'Text of the loom' }).getByText('A heron stood still.'));
});

test('[I31] the palette does what can be done here, goes to every thread, and finds every text', async () => {
  const human = pages.human();
  const { thread } = await human.threads.create({ title: 'Harbour' });
  const remote = human.thread(thread.id);
  await remote.post({ type: 'message', content: 'The pilot boat leaves at dawn.' });
  const { event } = await remote.post({ type: 'message', content: 'Bring the lantern.' });
  const page = await pages.open(`/threads/${thread.id}`);
  await see(row(page, 'Bring the lantern.'));
  await shortcut(page, 'k');
  await page.keyboard.press('k');
  const focused = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label'));
  expect(await focused()).toBe('human: The pilot boat leaves at dawn.');

  // Esc gives the focus back; an action is done where it was.
  await find(page, 'nothing of the kind at all');
  await page.keyboard.press('Escape');
  await gone(page.getByRole('dialog'));
  expect(await focused()).toBe('human: The pilot boat leaves at dawn.');
  await find(page, 'reply');
  expect(await marked(page).innerText()).toMatch(/^Reply to the selected message\s+R$/);
  await noSeriousFindings(page, 'the palette');
  await page.keyboard.press('Enter');
  await expect.poll(focused).toBe('Your reply to human');
  await see(page.getByText('The pilot boat leaves at dawn.').nth(1));

  // A text of the workspace, narrowed by filters that can be taken away.
  await find(page, 'from:human kind:message lant');
  const found = page.getByRole('group', { name: 'Found' }).getByRole('option');
  await see(found.getByText('lantern'));
  expect(await page.getByRole('button', { name: /^Remove/ }).allInnerTexts()).toEqual(['from human', 'kind message']);
  for (const _ of 'lant ') await page.keyboard.press('Backspace');
  await gone(page.getByRole('button', { name: 'Remove kind message' }));
  await page.keyboard.type('lantern');
  await see(found.getByText('lantern'));
  await page.keyboard.press('Enter');
  await see(page.locator('.entry.target').getByText('Bring the lantern.'));
  expect(new URL(page.url()).hash).toBe(`#${event.id}`);

  await page.keyboard.press('Escape');
  await page.keyboard.press('?');
  const keys = page.getByRole('dialog', { name: 'Keys' });
  await see(keys);
  expect(await keys.getByRole('heading', { level: 3 }).allInnerTexts()).toEqual(['This thread', 'Everywhere']);
  await noSeriousFindings(page, 'the key map');
  await page.keyboard.press('Escape');
  await find(page, 'export messages');
  const [download] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')]);
  expect(download.suggestedFilename()).toBe('Harbour.md');
  expect(readFileSync(await download.path(), 'utf8')).toMatch(
    /^# Harbour\n\n\*\*human\*\*, [\d: -]+\n\nThe pilot boat leaves at dawn\.\n\n\*\*human\*\*, [\d: -]+\n\nBring the lantern\.\n$/,
  );
});

test('[I31] settings: light or dark outlasts a reload; a budget is gone to; the desktop is asked for by a click alone', async () => {
  const page = await (await pages.newContext({ colorScheme: 'light' })).newPage();
  await page.addInitScript(() => {
    const asked: string[] = [];
    const requestPermission = async () => {
      asked.push('asked');
      fake.permission = 'granted';
      return 'granted';
    };
    const fake = { permission: 'default', requestPermission };
    Object.assign(window, { asked, Notification: fake });
  });
  await page.goto((await pages.human().signInLink()).url);
  await see(page.getByRole('status').getByText('connected'));
  const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  expect(await paper()).toBe('rgb(251, 250, 247)');
  await find(page, 'dark');
  await page.keyboard.press('Enter');
  await expect.poll(paper).toBe('rgb(26, 24, 22)');
  await page.reload();
  await see(page.getByRole('status').getByText('connected'));
  expect(await paper()).toBe('rgb(26, 24, 22)');

  await find(page, 'settings budget');
  await page.keyboard.press('Enter');
  await expect
    .poll(() => page.evaluate(() => (document.activeElement as HTMLInputElement | null)?.name))
    .toBe('tokens');
  await noSeriousFindings(page, 'the settings');
  expect(await page.evaluate(() => (window as unknown as { asked: string[] }).asked)).toEqual([]);
  await page.getByRole('button', { name: 'Turn on desktop notifications' }).press('Enter');
  await see(
    page.getByText('On: you get a notification when something needs you while this page is in the background.'),
  );
});
