// How threads are listed: pins, tags and the archive, from the menus of a list and of a room.
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { fromHead, gone, noSeriousFindings, row, see, setUpPages } from './page-support.ts';

const pages = setUpPages();

async function begin(title: string): Promise<string> {
  return (await pages.human().threads.create({ title })).thread.id;
}

async function openMenu(page: Page, title: string): Promise<void> {
  await page.getByRole('list', { name: 'All threads' }).getByRole('listitem').filter({ hasText: title }).hover();
  await page.getByRole('button', { name: `Actions for ${title}` }).click();
}

test('[T34] [T33] [T32] from a list I pin, tag and archive a thread, and take that back', async () => {
  await begin('Garden plans');
  await begin('Attic');
  const page = await pages.open('/all');
  await openMenu(page, 'Garden plans');
  await noSeriousFindings(page, 'the menu of a thread in a list');
  await page.getByRole('menuitem', { name: 'Pin', exact: true }).click();
  await see(page.getByRole('region', { name: 'Pinned' }).getByRole('link', { name: 'Garden plans' }));
  const order = page.getByRole('list', { name: 'All threads' }).getByRole('listitem');
  expect((await order.allInnerTexts()).map((text) => text.split('\n')[0])).toEqual([
    'Pinned',
    'Garden plans',
    'Latest',
    'Attic',
  ]);
  await see(order.filter({ hasText: 'Attic' }).getByText('Nothing written yet'));

  await openMenu(page, 'Garden plans');
  await page.getByRole('menuitem', { name: 'Tags…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Tags' });
  await dialog.getByLabel('Add a tag').fill('#Soil, Winter garden');
  await page.keyboard.press('Enter');
  await see(dialog.getByRole('listitem').getByText('winter garden'));
  await noSeriousFindings(page, 'the dialog of tags');
  await dialog.getByRole('button', { name: 'Remove soil' }).click();
  await gone(dialog.getByRole('listitem').getByText('soil', { exact: true }));
  await page.keyboard.press('Escape');
  await gone(dialog);
  await see(page.getByRole('link', { name: /Garden plans/ }).getByText('winter garden'));

  const listed = page.getByRole('list', { name: 'All threads' }).getByRole('link', { name: /Attic/ });
  await openMenu(page, 'Attic');
  await page.getByRole('menuitem', { name: 'Archive', exact: true }).click();
  await gone(listed);
  await page.getByRole('button', { name: 'Undo' }).click();
  await see(listed);
});

test('[T34] [T32] in a room I find the same, and a pin shows in my other browser at once', async () => {
  const id = await begin('Seed swap');
  const [here, elsewhere] = [await pages.open(`/threads/${id}`), await pages.open('/all')];
  await fromHead(here, 'Pin');
  const pinned = (page: Page) => page.getByRole('region', { name: 'Pinned' }).getByRole('link', { name: 'Seed swap' });
  await see(pinned(here));
  await see(pinned(elsewhere));
  await fromHead(here, 'Archive');
  await gone(elsewhere.getByRole('list', { name: 'All threads' }).getByRole('link', { name: /Seed swap/ }));
  await here.getByLabel('Your message').fill('One more thing.');
  await here.keyboard.press('Enter');
  await see(elsewhere.getByRole('list', { name: 'All threads' }).getByRole('link', { name: /Seed swap/ }));
});

test('[T35] an edited message shows its newest text and that it was edited, also live', async () => {
  const id = await begin('Edits');
  const thread = pages.human().thread(id);
  const { event } = await thread.post({ type: 'message', content: 'Plant beens.' });
  const page = await pages.open(`/threads/${id}`);
  await see(row(page, 'Plant beens.'));
  await thread.edit(event.id, 'Plant beans.');
  await see(row(page, 'Plant beans.'));
  await page.reload();
  await see(row(page, 'Plant beans.'));
  await see(row(page, 'Plant beans.').getByText('edited'));
  expect(await row(page, 'beens').count()).toBe(0);
});
