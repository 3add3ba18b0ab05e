import type { Page } from 'playwright-core';
import { beforeAll, expect, test, vi } from 'vitest';
import { draft, says, wants } from './page-dialogue-support.ts';
import { letter, wants as poolWants, thinks } from './page-exchange-support.ts';
import { reads } from './page-loom-support.ts';
import { giveModels } from './page-models-support.ts';
import { goHome, gone, listed, row, see, setUpPages, shortcut } from './page-support.ts';

/* A newcomer clicks on something and types at once. Every letter below is a shortcut somewhere. */
const SENTENCE = 'nice to meet you, did you read the draft? a bug. 1 or 2 jokes / vowels B';
vi.setConfig({ testTimeout: 60_000 });
const pages = setUpPages();
const opened = { conversation: '', dialogue: '', exchange: '', loom: '' };

beforeAll(async () => {
  const scripts = {
    mind: [says('The lake is grey.'), says('The lake is blue.'), { text: says(null), repeat: 'always' }],
    thinker: [{ text: thinks('Reeds.'), repeat: 'always' }],
    auditor: [{ text: 'It is about reeds [#1].', repeat: 'always' }],
  };
  giveModels(pages.server.workspace, scripts, { defaults: { mind: 'mind' } });
  const { threads, thread } = pages.human();
  const conversation = (await threads.create({ title: 'Garden' })).thread.id;
  for (const content of ['Roses.', 'Beans.']) await thread(conversation).post({ type: 'message', content });
  const dialogue = (await threads.create({ title: 'Lake', kind: 'dialogue', setup: { model: 'mind' } })).thread.id;
  await thread(dialogue).command('message', { text: 'What colour is it?', run: { iterations: 4 } });
  const minds = [{ id: 'mind_0', model: 'thinker' }];
  const setup = { minds, auditor_model: 'auditor', audit_every: 1, ask_after_audit: 'always' };
  const exchange = (await threads.create({ title: 'Reeds', kind: 'exchange', setup })).thread.id;
  await thread(exchange).command('run', { rounds: 1 });
  const loom = (await threads.create({ title: 'Story', kind: 'loom', setup: { text: 'Once. ' } })).thread.id;
  Object.assign(opened, { conversation, dialogue, exchange, loom });
  for (const [id, type] of [
    [dialogue, 'run.ended'],
    [exchange, 'audit.written'],
  ] as const) {
    const types = async () => (await thread(id).events({ limit: 1000 })).events.map((event) => event.type as string);
    await vi.waitUntil(async () => (await types()).includes(type), { timeout: 20_000 });
  }
});

/** All that was said and done in the workspace; that somebody looks at a dialogue is neither. */
async function log(): Promise<readonly string[]> {
  const { threads, thread } = pages.human();
  const ids = (await threads.list()).threads.map(({ id }) => id).sort();
  const all = await Promise.all(ids.map(async (id) => (await thread(id).events({ limit: 1000 })).events));
  return all.flat().flatMap(({ type, id }) => (/engagement|seen/.test(type) ? [] : `${type} ${id}`));
}

async function field(page: Page, name: string | RegExp, value: string): Promise<void> {
  await expect.poll(() => page.getByRole('textbox', { name, exact: true }).inputValue()).toBe(value);
}

const ROOMS = [
  ['conversation', 'Garden', (page: Page) => field(page, 'Your message', SENTENCE)],
  ['dialogue', 'Lake', (page: Page) => field(page, 'Your note to the mind', SENTENCE)],
  ['exchange', 'Reeds', (page: Page) => field(page, 'As observer', SENTENCE)],
  ['loom', 'Story', (page: Page) => reads(page, `Once. ${SENTENCE}`)],
] as const;

for (const [kind, title, isWritten] of ROOMS) {
  test(`[I32] a sentence typed right after a click on a room (${kind}) is written there and changes nothing`, async () => {
    const page = await pages.open();
    const before = await log();
    await listed(page, new RegExp(`^${title} `)).click();
    await page.keyboard.type(SENTENCE);
    await isWritten(page);
    expect(await page.getByRole('dialog').count()).toBe(0);
    expect(await page.evaluate(() => localStorage.getItem('heddle.folded'))).toBeNull();
    expect(await log()).toEqual(before);
  });
}

test('[I32] typing while a page loads, or where nothing can be written, changes nothing', async () => {
  const page = await pages.open();
  const before = await log();
  const terms = `/exchange/${opened.exchange}#terms`;
  const rooms = [`/threads/${opened.conversation}`, `/dialogue/${opened.dialogue}`, `/exchange/${opened.exchange}`];
  for (const path of [...rooms, `/loom/${opened.loom}`, terms, '/threads/nowhere', '/']) {
    await page.goto(pages.server.url + path, { waitUntil: 'commit' });
    await page.keyboard.type(SENTENCE);
    await see(page.locator('main'));
    await page.keyboard.type(SENTENCE);
    expect(await log(), path).toEqual(before);
    expect(await page.evaluate(() => localStorage.getItem('heddle.folded')), path).toBeNull();
    if (path === terms) await see(page.getByRole('article', { name: 'Terms' }));
  }
});

test('[I32] a sentence typed while a dialogue is being created is written there', async () => {
  const page = await pages.open();
  await page.keyboard.press('Control+k');
  await page.keyboard.type('begin a dialogue');
  await see(page.locator('[role=option][aria-selected=true]').getByText('Begin a dialogue'));
  await page.keyboard.press('Enter');
  await page.keyboard.type(SENTENCE);
  await see(page.getByRole('heading', { level: 1, name: /^New dialogue/ }));
  await field(page, 'Your message', SENTENCE);
});

test('[I32] letters are shortcuts after Esc, until something is written in the composer again', async () => {
  const page = await pages.open(`/dialogue/${opened.dialogue}`);
  await wants(page, 'Needs you');
  const note = page.getByRole('textbox', { name: 'Your note to the mind' });
  await draft(page, 2).click();
  await page.keyboard.type('ad');
  expect(await note.inputValue()).toBe('ad');
  await shortcut(page, 'e');
  await see(page.getByLabel('Draft 2 as you accept it'));
  await page.keyboard.press('Escape');
  await shortcut(page, '?');
  const keys = page.getByRole('dialog', { name: 'Keys' });
  await see(keys.getByText('In a room, letters are text. Press Esc first to use them as shortcuts.'));
  await page.keyboard.press('Escape');
  await gone(keys);
  await page.keyboard.press('s');
  await page.keyboard.type('d');
  await draft(page, 2).click();
  await page.keyboard.type('a');
  expect(await note.inputValue()).toBe('adda');

  await goHome(page);
  await listed(page, /^Reeds /).click();
  await see(letter(page, 1));
  await poolWants(page, 'Audit 1 waits for your answer.');
  await goHome(page);
  await listed(page, /^Garden /).click();
  await see(row(page, 'Beans.'));
});
