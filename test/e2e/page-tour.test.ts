import type { Locator, Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { FETCH_MS, storiesFile } from '../support/models/weights.ts';
import { nothingSticksOut } from './page-dialogue-support.ts';
import { branch } from './page-loom-support.ts';
import { gone, noSeriousFindings, see, setUpPages, shortcut } from './page-support.ts';

const pages = setUpPages();
beforeAll(async () => {
  await storiesFile();
}, FETCH_MS);

const strip = (page: Page) => page.getByRole('region', { name: 'Tour' });

/** What the small model writes comes when it comes. */
const written = (what: Locator) => what.first().waitFor({ timeout: 60_000 });

async function next(page: Page, name: string): Promise<void> {
  await strip(page).getByRole('button', { name }).press('Enter');
}

test('[I16] one click on the empty home, and the tour leads through all four by what is done there, by keys', async () => {
  const page = await pages.open();
  await page.getByRole('button', { name: 'Show me with a sample' }).press('Enter');
  await see(strip(page).getByText('1 of 5'));
  await written(page.getByRole('article').filter({ hasText: 'muse' }));
  await page.getByLabel('Your message').fill('@muse, where did the frog go?');
  await page.keyboard.press('Enter');
  await see(strip(page).getByText('Mentioning an agent wakes it'));

  await next(page, 'Next: a dialogue');
  await see(strip(page).getByText('2 of 5'));
  await written(page.getByRole('main').getByText('The budget of 4 iterations is used up'));
  await shortcut(page, 'a');
  await see(strip(page).getByText('That draft is now the answer'));

  await next(page, 'Next: an exchange');
  await written(page.getByRole('main').getByText('It waits for your answer'));
  await page.keyboard.type('Friends share.');
  await page.keyboard.press('Enter');
  await see(strip(page).getByText('The minds see your answer'));

  await next(page, 'Next: a loom');
  await written(branch(page, '1 of 3'));
  const text = page.getByRole('textbox', { name: 'Text of the loom' });
  const before = await text.innerText();
  await page.keyboard.press('Alt+ArrowDown');
  await see(branch(page, '2 of 3'));
  expect(await text.innerText()).not.toBe(before);
  await see(strip(page).getByText('The others stay on the shelf'));

  await next(page, 'Next');
  await page.keyboard.press('Control+k');
  await see(page.getByRole('dialog', { name: 'Search or run a command' }));
  await page.keyboard.press('Escape');
  await see(strip(page).getByText('That was the tour'));
  await next(page, 'End the tour');
  await gone(strip(page));
}, 120_000);

test('[I16] the tour is left by Esc, stays away, is begun again from palette and settings, on a small screen', async () => {
  const page = await pages.open('/', { viewport: { width: 360, height: 740 }, reducedMotion: 'reduce' });
  const { threads } = await pages.human().sample();
  const taken = async () => {
    await see(strip(page).getByText('1 of 5'));
    expect(new URL(page.url()).pathname).toBe(`/threads/${threads[0]?.id}`);
  };
  await page.keyboard.press('Control+k');
  await page.keyboard.type('take the tour');
  await page.keyboard.press('Enter');
  await taken();
  await nothingSticksOut(page, 'tour');
  await next(page, 'Next: a dialogue');
  await page.reload();
  await see(strip(page).getByText('2 of 5'));
  await page.goto(`${pages.server.url}/settings`);
  await see(strip(page).getByText('The tour continues in the dialogue'));
  await noSeriousFindings(page, 'tour');
  await page.keyboard.press('Escape');
  await gone(strip(page));
  await page.reload();
  await see(page.getByRole('heading', { name: 'Settings' }));
  expect(await strip(page).count()).toBe(0);
  await page.getByRole('button', { name: 'Take the tour' }).click();
  await taken();
  expect((await pages.human().threads.list()).threads).toHaveLength(4);
  await strip(page).getByRole('button', { name: 'Leave the tour' }).click();
  await gone(strip(page));

  // What "heddle demo" opens.
  await page.goto(`${(await pages.human().signInLink()).url}&to=tour`);
  await taken();
}, 60_000);
