// The parts of the page in all their states, built as for `npm run dev` and served under the page's own policy.
import { mkdtempSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildParts } from '../../scripts/build-parts.ts';
import { createPageFiles } from '../../src/server/http/static.ts';
import { launchBrowser } from '../support/browser.ts';
import { smallTargets } from './page-states-support.ts';
import { gone, noSeriousFindings, see } from './page-support.ts';

const wrong: string[] = [];
let browser: Browser;
let server: Server;
let url: string;

beforeAll(async () => {
  const outDir = mkdtempSync(join(tmpdir(), 'heddle-parts-'));
  writeFileSync(join(outDir, 'index.html'), ''); // A folder without it is a page that is not built.
  await buildParts(outDir);
  const files = createPageFiles(outDir);
  server = createServer((request, response) => {
    const file = files.file(request.url ?? '/');
    response.writeHead(file?.status ?? 404, file?.headers);
    response.end(file?.body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/dev/ui`;
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser?.close();
  server?.close();
});

async function open(options: { colorScheme: 'light' | 'dark'; width: number; hasTouch?: boolean }): Promise<Page> {
  const { colorScheme, width, hasTouch = false } = options;
  const context = await browser.newContext({
    colorScheme,
    hasTouch,
    viewport: { width, height: 900 },
    reducedMotion: 'reduce',
  });
  const page = await context.newPage();
  page.on('pageerror', (error) => wrong.push(error.message));
  page.on('response', (response) => response.status() >= 400 && wrong.push(response.url()));
  page.on('console', (message) => message.type() === 'error' && wrong.push(message.text()));
  await page.goto(url);
  await see(page.getByRole('heading', { name: 'Heddle parts' }));
  await page.evaluate(() => document.fonts.ready);
  return page;
}

/** With HEDDLE_SHOTS set to a folder, the pictures are kept for people to look at. */
async function photograph(page: Page, name: string): Promise<void> {
  const folder = process.env.HEDDLE_SHOTS;
  const picture = await page.screenshot({ fullPage: true, ...(folder && { path: join(folder, `parts-${name}.png`) }) });
  expect(picture.length).toBeGreaterThan(50_000);
}

const SIZES = [
  { width: 1440, hasTouch: false, least: 32 },
  { width: 360, hasTouch: true, least: 44 },
];

test.each(SIZES.flatMap((size) => (['light', 'dark'] as const).map((colorScheme) => ({ ...size, colorScheme }))))(
  '[I20] every part can be read, named and pressed: $width px, $colorScheme',
  async ({ width, hasTouch, least, colorScheme }) => {
    const page = await open({ width, hasTouch, colorScheme });
    await noSeriousFindings(page, `parts at ${width} px, ${colorScheme}`);
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
    expect(await page.evaluate(smallTargets, least)).toEqual([]);
    await photograph(page, `${width}-${colorScheme}`);
    expect(wrong).toEqual([]);
  },
);

test('[I20] the page brings its own fonts, in the sizes of the scale', async () => {
  const page = await open({ width: 1440, colorScheme: 'light' });
  const loaded = await page.evaluate(() =>
    [...document.fonts].filter((font) => font.status === 'loaded').map((font) => font.family),
  );
  expect(new Set(loaded)).toEqual(new Set(['Inter Variable', 'Source Serif 4 Variable', 'JetBrains Mono Variable']));
});

test('[I20] Markdown is set under the policy of the page: a table, boxes, maths, coloured code that can be copied', async () => {
  const page = await open({ width: 1440, colorScheme: 'light' });
  const text = page.getByRole('region', { name: 'Text' });
  await see(text.locator('math mfrac').first());
  await see(text.locator('math[display="block"] munderover').first());
  await expect.poll(() => text.locator('pre span[class*="note"]').textContent()).toBe('/* breathe */');
  expect(
    await text.getByRole('checkbox').evaluateAll((all) => all.map((box) => (box as HTMLInputElement).checked)),
  ).toEqual([true, false]);
  expect(await text.getByRole('cell', { name: '140' }).evaluate((cell) => getComputedStyle(cell).textAlign)).toBe(
    'end',
  );
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await text.getByRole('button', { name: 'Copy' }).click();
  await see(text.getByRole('button', { name: 'Copied' }));
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('.week {\n  gap: 0.75rem; /* breathe */\n}');
  expect(wrong).toEqual([]);
});

test('[I20] a menu, a dialog, a popover, a select and a toast work by keyboard alone', async () => {
  const page = await open({ width: 1440, colorScheme: 'light' });
  const focus = () =>
    page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent);
  await page.keyboard.press('Tab');
  await page.getByRole('button', { name: 'More actions' }).focus();
  await see(page.getByText('More actions', { exact: true })); // The tooltip, on focus.
  await page.keyboard.press('Enter');
  await see(page.getByRole('menuitem', { name: 'Reply' }));
  await noSeriousFindings(page, 'an open menu');
  await photograph(page, 'menu');
  await page.keyboard.press('Escape');
  expect(await focus()).toBe('More actions');

  await page.getByRole('button', { name: 'Open a dialog' }).focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Rename the thread' });
  await see(dialog);
  await noSeriousFindings(page, 'an open dialog');
  await photograph(page, 'dialog');
  for (let i = 0; i < 8; i++) {
    await page.keyboard.press('Tab');
    // A guard at either end of the dialog hands the focus on to the other end.
    await expect.poll(() => dialog.evaluate((element) => element.contains(document.activeElement))).toBe(true);
  }
  await page.keyboard.press('Escape');
  await expect.poll(focus).toBe('Open a dialog');

  await page.getByRole('button', { name: 'Open a popover' }).press('Enter');
  await see(page.getByRole('dialog', { name: 'Sage' }));
  await noSeriousFindings(page, 'an open popover');
  await page.keyboard.press('Escape');

  await page.getByRole('combobox', { name: 'Model' }).first().press('Enter');
  await page.getByRole('option', { name: 'claude-sonnet-4-5' }).waitFor();
  await noSeriousFindings(page, 'an open select');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect
    .poll(() => page.getByRole('combobox', { name: 'Model' }).first().textContent())
    .toBe('claude-sonnet-4-5');

  await page.getByRole('button', { name: 'Show a failure' }).press('Enter');
  await see(page.getByText('Quill stopped: Ollama is not running. Draft 5 is kept.'));
  await noSeriousFindings(page, 'a toast');
  await photograph(page, 'toast');
  await page.keyboard.press('F6'); // Where toasts are.
  await page.getByRole('button', { name: 'Dismiss' }).press('Enter');
  await gone(page.getByText('Quill stopped'));
  expect(wrong).toEqual([]);
});

test('[I20] on a phone a dialog is a sheet at the bottom', async () => {
  const page = await open({ width: 360, hasTouch: true, colorScheme: 'dark' });
  await page.getByRole('button', { name: 'Open a dialog' }).tap();
  const box = await page.getByRole('dialog').boundingBox();
  expect(box?.x).toBe(0);
  expect(box?.width).toBe(360);
  expect((box?.y ?? 0) + (box?.height ?? 0)).toBe(900);
  await photograph(page, 'sheet');
});
