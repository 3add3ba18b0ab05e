import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { FETCH_MS, storiesFile } from '../support/weights.ts';
import { gone, see, setUpPages } from './page-support.ts';

vi.setConfig({ testTimeout: 60_000 });
const pages = setUpPages();
beforeAll(async () => {
  await storiesFile();
}, FETCH_MS);

async function newLoom(title: string, text = ''): Promise<string> {
  const { thread } = await pages.human().threads.create({ title, kind: 'loom', setup: { text } });
  return thread.id;
}

function text(page: Page): Locator {
  return page.getByRole('textbox', { name: 'Text of the loom' });
}

/** What is written, without the marks of who wrote it. */
async function shown(page: Page): Promise<string> {
  return (await text(page).locator('.cm-line').allTextContents()).join('\n');
}

describe('[I15] the loom', () => {
  test('[W9] [W16] [W22] begun from the page: a sentence, three continuations, the wheel', async () => {
    const page = await pages.open('/');
    await page.getByRole('button', { name: 'New thread' }).click();
    await page.getByLabel('Title').fill('A castle');
    await page.getByLabel('a loom').check();
    await page.getByRole('button', { name: 'Begin', exact: true }).click();
    await see(text(page));
    await page.keyboard.type('Once upon a time, there was a castle on a hill.');
    expect(await shown(page)).toBe('Once upon a time, there was a castle on a hill.');
    await page.keyboard.press('Control+Space');
    await see(page.getByRole('button', { name: 'Branch 1 of 3' }));
    await gone(page.getByRole('button', { name: 'Stop' }));
    const first = await shown(page);
    expect(first.startsWith('Once upon a time, there was a castle on a hill.')).toBe(true);
    await page.keyboard.press('Alt+ArrowDown');
    await see(page.getByRole('button', { name: 'Branch 2 of 3' }));
    const second = await shown(page);
    expect(second).not.toBe(first);
    await shots(page, 'loom');
  });
});

/** With HEDDLE_SHOTS set, pictures to look at. */
async function shots(page: Page, name: string): Promise<void> {
  const to = process.env.HEDDLE_SHOTS;
  for (const [width, height] of [
    [1280, 800],
    [360, 740],
  ] as const) {
    await page.setViewportSize({ width, height });
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      const fits = await page.locator('main').evaluate((element) => element.scrollWidth <= element.clientWidth);
      expect(fits).toBe(true);
      if (to) await page.screenshot({ path: join(to, `${name}-${width}-${colorScheme}.png`) });
    }
  }
  await page.setViewportSize({ width: 1280, height: 800 });
}
