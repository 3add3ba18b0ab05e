// Copy and link on every text, in every room.
import type { Locator, Page } from 'playwright-core';
import { expect, test, vi } from 'vitest';
import { acceptButton, draft, minds, says } from './page-dialogue-support.ts';
import { exchanges, letter, round, thinks, wants } from './page-exchange-support.ts';
import { reads, text } from './page-loom-support.ts';
import { row, see, setUpPages, shortcut, write } from './page-support.ts';

vi.setConfig({ testTimeout: 60_000 });
const pages = setUpPages();
const dialogues = minds(pages);
const { create, remote } = exchanges(pages);

async function open(path: string): Promise<Page> {
  const page = await pages.open(path);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  return page;
}

function clipboard(page: Page): Promise<string> {
  return page.evaluate(() => navigator.clipboard.readText());
}

/** What is in the clipboard after somebody has copied. */
async function copiedBy(page: Page, copy: () => Promise<void>): Promise<string> {
  await page.evaluate(() => navigator.clipboard.writeText('nothing yet'));
  await copy();
  await expect.poll(() => clipboard(page)).not.toBe('nothing yet');
  return clipboard(page);
}

/** Copies a text and its link, by its buttons or its menu; answers with both. */
async function copies(page: Page, text: Locator): Promise<{ readonly text: string; readonly link: string }> {
  await text.hover();
  const button = text.getByRole('button', { name: 'Copy', exact: true }).last();
  const fromMenu = async (name: string) => {
    await text.getByRole('button', { name: 'More' }).last().click();
    await page.getByRole('menuitem', { name, exact: true }).click();
  };
  const hasButton = await button.isVisible();
  return {
    text: await copiedBy(page, () => (hasButton ? button.click() : fromMenu('Copy'))),
    link: await copiedBy(page, () => fromMenu('Copy link')),
  };
}

/** A new tab at a copied address. */
async function follow(page: Page, link: string): Promise<Page> {
  const tab = await page.context().newPage();
  await tab.goto(link);
  return tab;
}

async function isInView(text: Locator): Promise<void> {
  await see(text);
  await expect
    .poll(() =>
      text.evaluate((element) => {
        const { top, bottom } = element.getBoundingClientRect();
        return bottom > 0 && top < innerHeight;
      }),
    )
    .toBe(true);
}

test('[I20] [C11] a message and a draft of a thread are copied as written, and their links lead to them', async () => {
  const { id } = (await pages.human().threads.create({ title: 'Copies' })).thread;
  const ours = pages.human().thread(id);
  await ours.post({ type: 'message', content: 'It **grows** in `shade`.' });
  for (let n = 0; n < 30; n++) await ours.post({ type: 'message', content: `Later ${n}` });
  const alpha = await pages.agent('alpha');
  await alpha.thread(id).command('draft', { text: '- *Ferns*\n- Moss' });
  const page = await open(`/threads/${id}`);
  const drafted = page.getByRole('article', { name: 'Draft 1 by alpha' });
  await drafted.getByRole('button', { name: /drafted an answer/ }).click();
  const copiedDraft = await copies(page, drafted);
  expect(copiedDraft.text).toBe('- *Ferns*\n- Moss');
  await page.getByLabel('Your message').focus();
  await shortcut(page, 'Home');
  const copied = await copies(page, row(page, 'It grows in shade.'));
  expect(copied.text).toBe('It **grows** in `shade`.');
  await isInView(row(await follow(page, copied.link), 'It grows in shade.'));
  await isInView((await follow(page, copiedDraft.link)).getByText('Moss'));
});

test('[I20] [C11] in a dialogue: message, draft, accepted reply and thought', async () => {
  const id = await dialogues.create('Harbour', [says('A *heron* stands there.', 'begin with **what** moves least')]);
  const page = await open(`/dialogue/${id}`);
  await write(page, 'What is **there**?');
  await see(draft(page, 1));
  expect((await copies(page, page.getByRole('region', { name: 'Your message' }))).text).toBe('What is **there**?');
  const drafted = await copies(page, page.getByRole('region', { name: 'Turn 1, open' }).locator('header').first());
  expect(drafted.text).toBe('A *heron* stands there.');
  await isInView(draft(await follow(page, drafted.link), 1));
  await acceptButton(page, 1).click();
  const past = page.getByRole('article', { name: 'Turn 1' });
  await see(past);
  const reply = await copies(page, past);
  expect(reply.text).toBe('A *heron* stands there.');
  await isInView((await follow(page, reply.link)).getByRole('article', { name: 'Turn 1' }));
  await past.getByRole('button', { name: 'More' }).first().click();
  await page.getByRole('menuitem', { name: 'Copy', exact: true }).click();
  await expect.poll(() => clipboard(page)).toBe('What is **there**?');
  await page.getByRole('button', { name: 'Thoughts', exact: true }).click();
  const pool = page.getByRole('region', { name: 'Pool' });
  const thought = pool.getByRole('listitem').filter({ hasText: 'moves least' });
  const copied = await copies(page, thought);
  expect(copied.text).toBe('begin with **what** moves least');
  const there = (await follow(page, copied.link)).getByRole('listitem').filter({ hasText: 'moves least' });
  await see(there);
  await expect.poll(() => there.evaluate((each) => each === document.activeElement)).toBe(true);
});

test('[I20] [C11] in an exchange: thought, audit, words from outside and of the observer', async () => {
  const audits = ['The *heron* is there [#1].'];
  const id = await create('Reeds', { minds: [[thinks('The **heron** stands.')]], audits }, { audit_every: 1 });
  await remote(id).command('inject', { text: 'A _boat_ comes in.' });
  await remote(id).command('run', { rounds: 1 });
  const page = await open(`/exchange/${id}`);
  await see(letter(page, 1));
  await remote(id).command('observe', { text: 'Look at the **nets**.' });
  const texts: readonly (readonly [(at: Page) => Locator, string])[] = [
    [(at) => letter(at, 1), 'The *heron* is there [#1].'],
    [(at) => at.getByRole('article', { name: /^From outside/ }), 'A _boat_ comes in.'],
    [(at) => at.getByRole('article', { name: /^Observer/ }), 'Look at the **nets**.'],
  ];
  for (const [find, text] of texts) {
    const copied = await copies(page, find(page));
    expect(copied.text).toBe(text);
    await isInView(find(await follow(page, copied.link)));
  }
  await round(page, 1).getByRole('button', { name: /^#1/ }).click();
  const copied = await copies(page, round(page, 1));
  expect(copied.text).toBe('The **heron** stands.');
  expect(new URL(copied.link).hash).toBe('#thought.1');
  await wants(page, /./);
});

test('[I20] [C11] in a loom: the node at the caret', async () => {
  const setup = { text: 'The *pear* tree.' };
  const { id } = (await pages.human().threads.create({ title: 'Pear', kind: 'loom', setup })).thread;
  const page = await open(`/loom/${id}`);
  await text(page).click();
  await page.getByRole('tab', { name: 'Node' }).click();
  const copied = await copies(page, page.getByRole('tabpanel', { name: 'Node' }));
  expect(copied.text).toBe('The *pear* tree.');
  await reads(await follow(page, copied.link), 'The *pear* tree.');
});
