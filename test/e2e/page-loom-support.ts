// A loom on a page, and a model that says what a test wants it to.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { createClient } from '../../src/client/index.ts';
import type { ScriptInput } from '../../src/models/scripted/script.ts';
import { see, setUpPages } from './page-support.ts';

export function setUpLooms() {
  const pages = setUpPages();
  let scripts = 0;

  return {
    pages,
    async newLoom(title: string, text = ''): Promise<string> {
      const { thread } = await pages.human().threads.create({ title, kind: 'loom', setup: { text } });
      return thread.id;
    },
    /** From now on looms go on as the script says. */
    script(script: ScriptInput): void {
      const { workspace } = pages.server;
      const name = `script${++scripts}.json`;
      writeFileSync(join(workspace, name), JSON.stringify(script));
      const settings = `models:\n  told${scripts}: {provider: scripted, path: ${name}}\ndefaults: {loom: told${scripts}}\n`;
      writeFileSync(join(workspace, 'heddle.yaml'), settings);
    },
    async open(id: string, options = {}): Promise<Page> {
      const page = await pages.open(`/loom/${id}`, options);
      await see(text(page));
      return page;
    },
    /** Another person, in a browser of their own. */
    async openAs(participant: string, id: string): Promise<Page> {
      const { token } = await pages.human().credentials.issue({ participant, kind: 'human' });
      const theirs = createClient({ url: pages.server.url, token });
      const page = await (await pages.newContext()).newPage();
      await page.goto((await theirs.signInLink()).url);
      await see(page.getByRole('status').getByText('connected'));
      await page.goto(`${pages.server.url}/loom/${id}`);
      await see(text(page));
      return page;
    },
  };
}

export function text(page: Page): Locator {
  return page.getByRole('textbox', { name: 'Text of the loom' });
}

/** What is written, without the marks of who wrote it. */
export async function shown(page: Page): Promise<string> {
  return (await text(page).locator('.cm-line').allTextContents()).join('\n');
}

export async function reads(page: Page, wanted: string): Promise<void> {
  await expect.poll(() => shown(page), { timeout: 25_000 }).toBe(wanted);
}

/** What has a model's colour, joined. */
export async function coloured(page: Page): Promise<string> {
  return (await text(page).locator('.by').allTextContents()).join('');
}

/** The continuations to choose from. */
export function shelf(page: Page): Locator {
  return page.getByRole('listbox', { name: 'Continuations' }).getByRole('option');
}

/** The panel beside the text, at one of its tabs. */
export async function openSettings(page: Page, tab: 'Generation' | 'Keys' | 'Import and export'): Promise<void> {
  await page.getByRole('button', { name: 'Loom settings' }).click();
  await page.getByRole('tab', { name: tab }).click();
}

export function branch(page: Page, which: string): Locator {
  return page.getByRole('button', { name: `Branch ${which}.` });
}

/** Nothing sticks out at 360 pixels; with HEDDLE_SHOTS set, pictures to look at. */
export async function shots(page: Page, name: string): Promise<void> {
  const to = process.env.HEDDLE_SHOTS;
  for (const [width, height] of [
    [1280, 800],
    [360, 740],
  ] as const) {
    await page.setViewportSize({ width, height });
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      const fits = () => page.locator('main').evaluate((element) => element.scrollWidth <= element.clientWidth);
      await expect.poll(fits).toBe(true);
      if (to) await page.screenshot({ path: join(to, `${name}-${width}-${colorScheme}.png`) });
    }
  }
  await page.setViewportSize({ width: 1280, height: 800 });
}
