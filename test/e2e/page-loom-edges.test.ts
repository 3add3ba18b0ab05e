import type { Page } from 'playwright-core';
import { expect, test, vi } from 'vitest';
import { branch, reads, setUpLooms, shots, shown, text } from './page-loom-support.ts';
import { gone, see } from './page-support.ts';

vi.setConfig({ testTimeout: 60_000 });
const looms = setUpLooms();
const { pages } = looms;

/** Goes on from the end, and waits until it is all there. */
async function goOn(page: Page, wanted: string): Promise<void> {
  await page.keyboard.press('Control+End');
  await page.keyboard.press('Control+Space');
  await reads(page, wanted);
  await gone(page.getByRole('button', { name: 'Stop' }));
}

async function withThree(title: string): Promise<{ page: Page; id: string }> {
  looms.script({ answers: [{ choices: [' a', ' b', ' c'], repeat: 'always' }] });
  const id = await looms.newLoom(title, 'One.');
  const page = await looms.open(id);
  for (const end of [' a', ' a a', ' a a a']) await goOn(page, `One.${end}`);
  return { page, id };
}

test('[W31] undo after a reload takes back what was typed and leaves no version of it', async () => {
  const id = await looms.newLoom('Undo', 'One day.');
  const page = await looms.open(id);
  await page.keyboard.press('Control+Home');
  await page.keyboard.type('Fine ');
  await reads(page, 'Fine One day.');
  await expect.poll(async () => (await pages.human().thread(id).loom.scratch()).scratch).not.toBe(null);
  await page.reload();
  await reads(page, 'Fine One day.');
  await page.keyboard.press('Control+z');
  await reads(page, 'One day.');
  await page.keyboard.press('Control+s');
  const { path } = await pages.human().thread(id).loom.path();
  expect(path.map(({ versions }) => versions.length)).toEqual([1]);
  await page.keyboard.press('Control+Shift+Z');
  await reads(page, 'Fine One day.');
});

test('[W31] where nodes begin is shown without a key, and darker where a selection crosses it', async () => {
  const { page } = await withThree('Edges');
  expect(await text(page).locator('.edge').allTextContents()).toEqual([' ', ' ', ' ']);
  expect(await text(page).locator('.crossed').count()).toBe(0);
  const shadow = await text(page)
    .locator('.edge')
    .first()
    .evaluate((element) => getComputedStyle(element).boxShadow);
  expect(shadow).toMatch(/-1px 0px 0px/);
  await page.keyboard.press('Control+End');
  for (let i = 0; i < 3; i++) await page.keyboard.press('Shift+ArrowLeft');
  await expect.poll(() => text(page).locator('.crossed').count()).toBe(1);
  await shots(page, 'loom-edges');
});

test('[W20] [W31] after a split nothing is marked as old, and counters of one line do not lie over others', async () => {
  const { page } = await withThree('Split');
  await page.keyboard.press('Control+Home');
  for (let i = 0; i < 2; i++) await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Alt+s');
  await see(branch(page, '2 of 2'));
  expect(await shown(page)).toBe('One. a a a');
  expect(await text(page).locator('.stale').count()).toBe(0);
  await page.keyboard.press('Control+End');
  await shots(page, 'loom-split');
  await see(branch(page, '1 of 3').first());
  for (const width of [1280, 360]) {
    await page.setViewportSize({ width, height: 740 });
    await page.keyboard.press('Control+End');
    const line = (await text(page).locator('.cm-line').first().boundingBox())!;
    const boxes = await Promise.all((await page.locator('.marks button').all()).map((button) => button.boundingBox()));
    const seen = boxes.flatMap((box) => (box ? [box] : []));
    for (const [i, one] of seen.entries()) {
      expect(one.y + one.height / 2).toBeGreaterThan(line.y);
      expect(one.y + one.height / 2).toBeLessThan(line.y + line.height);
      expect(one.x).toBeGreaterThanOrEqual(0);
      for (const other of seen.slice(i + 1)) {
        expect(one.x + one.width <= other.x + 1 || other.x + other.width <= one.x + 1).toBe(true);
      }
    }
  }
});

test('[I15] Enter begins one line, as far in as the one before, between brackets too', async () => {
  const page = await looms.open(await looms.newLoom('Lines', '  She said ()'));
  await page.keyboard.press('Control+End');
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('Enter');
  await page.keyboard.type('quietly');
  await reads(page, '  She said (\n  quietly)');
  await page.keyboard.press('Home');
  await page.keyboard.press('Control+Shift+ArrowRight');
  await page.keyboard.press('Backspace');
  await reads(page, '  She said (\n  )');
});
