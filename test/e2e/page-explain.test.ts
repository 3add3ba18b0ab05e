import type { Locator, Page } from 'playwright-core';
import { expect, test, vi } from 'vitest';
import { agents, look } from './page-agents-support.ts';
import { letter, thinks } from './page-exchange-support.ts';
import { reads, text } from './page-loom-support.ts';
import { gone, noSeriousFindings, row, see, setUpPages, shortcut } from './page-support.ts';

vi.setConfig({ testTimeout: 60_000 });
const pages = setUpPages();
const { models, thread, closed } = agents(pages);

/** The account of what is marked, by its key. */
async function whereFrom(page: Page): Promise<Locator> {
  await shortcut(page, 'w');
  return accountShown(page);
}

async function accountShown(page: Page): Promise<Locator> {
  const sheet = page.getByRole('dialog', { name: 'Source' });
  await see(sheet.getByRole('region', { name: 'Proof' }));
  return sheet;
}

test('[I28] [T19] from a message to its call and what was shown; of an edited draft, part by part, by keys alone', async () => {
  const id = await thread(
    'Garden',
    { id: 'alpha', answers: ['A pond by the wall.'] },
    { id: 'beta', answers: ['Plant roses there.'], profile: { posting: 'draft' } },
  );
  const remote = pages.human().thread(id);
  await remote.post({ type: 'message', content: 'What does it need?', to: 'alpha' });
  await closed(id, 3);
  await remote.post({ type: 'message', content: 'And there?', to: 'beta' });
  await closed(id, 4);
  const page = await pages.open(`/threads/${id}`);
  await see(page.getByRole('article', { name: 'Draft 1 by beta' }));
  await page
    .getByRole('article', { name: 'Draft 1 by beta' })
    .getByRole('button', { name: 'drafted an answer' })
    .focus();
  const drafted = await whereFrom(page);
  await see(drafted.getByText('A draft in the thread'));
  await page.keyboard.press('Escape');
  await gone(drafted);

  await row(page, 'A pond by the wall.').first().focus();
  const sheet = await whereFrom(page);
  await see(sheet.getByText('alpha, an agent run by the model "garden-alpha", wrote it.'));
  await see(sheet.getByText('It answers what human wrote.'));
  await see(sheet.getByText(/Every link from the thread’s beginning up to here holds/));
  await sheet.locator('summary', { hasText: 'Show the exact prompt' }).press('Enter');
  const shown = sheet.locator('pre').filter({ hasText: 'You are alpha, in the thread "Garden".' });
  await see(shown.filter({ hasText: '- beta: an agent' }));
  await look(page, 'explain');
  await noSeriousFindings(page);
  await page.keyboard.press('Escape');
  await gone(sheet);

  await remote.command('draft_accept', { index: 1, text: 'Plant white roses there.' });
  await see(row(page, 'Plant white roses there.'));
  await row(page, 'Plant white roses there.').first().focus();
  const edited = await whereFrom(page);
  await see(edited.getByText('human posted draft 1 and changed it: 6 characters of 24 are human’s.'));
  await edited.getByRole('button', { name: 'human: white' }).press('Enter');
  await see(edited.getByText('human added this part: it was not in the draft.'));
  await gone(edited.getByRole('region', { name: 'Model call' }));
  await edited.getByRole('button', { name: 'beta: Plant' }).press('Enter');
  await see(edited.getByRole('region', { name: 'Model call' }).getByText('garden-beta'));
  await edited.getByRole('button', { name: 'Back' }).press('Enter');
  await see(edited.getByText('human added this part: it was not in the draft.'));
  await edited.getByRole('link', { name: 'Open' }).last().press('Enter');
  await gone(edited);
});

test('[I28] [X4] [W15] from an audit to its thoughts and terms, and from a character of a loom to its model', async () => {
  models({ red: [thinks('the sea is red')], judge: ['All of it is sea [#1].'], told: [' and the sea rose'] });
  const setup = { minds: [{ id: 'mind_0', model: 'red' }], auditor_model: 'judge', audit_every: 1 };
  const { thread: pool } = await pages.human().threads.create({ title: 'Sea', kind: 'exchange', setup });
  await pages.human().thread(pool.id).command('run', { rounds: 1 });
  const written = async () => (await pages.human().thread(pool.id).get()).thread.last?.from;
  await expect.poll(written, { timeout: 30_000 }).toBe('auditor');
  const page = await pages.open(`/exchange/${pool.id}#audit.1`);
  await see(letter(page, 1));
  const sheet = await whereFrom(page);
  await see(sheet.getByText('auditor wrote it after round 1, with the model "judge".'));
  await see(sheet.getByText('In round 1, version 1 of the terms was in force, set by human.'));
  await sheet.locator('summary', { hasText: 'Show the exact prompt' }).press('Enter');
  await sheet.getByRole('button', { name: 'thought 1: the sea is red' }).press('Enter');
  await see(sheet.getByText('mind_0 wrote it in round 1, with the model "red".'));
  await see(sheet.getByText('Its input was the terms, the latest entries, and no thought.'));
  await look(page, 'explain-thought');
  await page.keyboard.press('Escape');
  await gone(sheet);

  const { thread: loom } = await pages
    .human()
    .threads.create({ title: 'Tale', kind: 'loom', setup: { text: 'The moon set' } });
  await pages.human().thread(loom.id).command('generate', { n: 1, model: 'told', logprobs: 0 });
  await page.goto(`${pages.server.url}/loom/${loom.id}`);
  await see(text(page));
  await reads(page, 'The moon set and the sea rose');
  await page.keyboard.press('Alt+w');
  await see(page.getByRole('dialog', { name: 'Who wrote this' }).getByRole('button', { name: 'Source' }));
  await page.keyboard.press('w');
  const account = await accountShown(page);
  await see(account.getByText('Written by told, at the request of human.'));
  await see(account.getByText('Its input was the path before it: 1 node, 12 characters.'));
  await page.keyboard.press('Escape');
  await gone(account);
  await page.keyboard.type('!');
  await reads(page, 'The moon set and the sea rose!');
});

test('[I28] a sheet opened in the moment the one before it is put away stays open', async () => {
  const { thread: made } = await pages.human().threads.create({ title: 'Quick hands' });
  await pages.human().thread(made.id).post({ type: 'message', content: 'Twice.' });
  const page = await pages.open(`/threads/${made.id}`);
  await row(page, 'Twice.').first().focus();
  const sheet = await whereFrom(page);
  // A key may come in the very moment the dialog is taken away.
  await sheet.evaluate((dialog) => {
    const isAway = new MutationObserver(() => {
      if (dialog.isConnected) return;
      isAway.disconnect();
      dispatchEvent(new KeyboardEvent('keydown', { key: 'w' }));
    });
    isAway.observe(document.body, { childList: true, subtree: true });
  });
  await page.keyboard.press('Escape');
  await page.evaluate(() => new Promise((told) => requestAnimationFrame(() => requestAnimationFrame(told))));
  await see(sheet.getByRole('region', { name: 'Proof' }));
  await page.keyboard.press('Escape');
  await gone(sheet);
});
