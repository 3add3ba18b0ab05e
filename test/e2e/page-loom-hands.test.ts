import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { describe, expect, test, vi } from 'vitest';
import { branch, coloured, reads, setUpLooms, shots, shown, text } from './page-loom-support.ts';
import { gone, see } from './page-support.ts';

vi.setConfig({ testTimeout: 60_000 });
const looms = setUpLooms();
const { pages } = looms;
const THREE = [' The first way.', ' The second way.', ' The third way.'];

async function continued(title: string, options = {}): Promise<Page> {
  looms.script({ answers: [{ choices: THREE, repeat: 'always' }] });
  const page = await looms.open(await looms.newLoom(title, 'One.'), options);
  await page.keyboard.press('Control+Space');
  await reads(page, 'One. The first way.');
  await gone(page.getByRole('button', { name: 'Stop' }));
  return page;
}

/** A finger on something, moved and lifted. */
async function swipe(page: Page, what: Locator, by: { readonly x: number; readonly y: number }): Promise<void> {
  const box = (await what.boundingBox())!;
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  const touches = await page.context().newCDPSession(page);
  await touches.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [{ x, y }] });
  await touches.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: [{ x: x + by.x, y: y + by.y }] });
  await touches.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
}

describe('[I15] a loom by hand', () => {
  test('[W22] the mouse wheel on the counter turns branches, one notch each, and not the page', async () => {
    const page = await continued('Wheel');
    await branch(page, '1 of 3').hover();
    await page.mouse.wheel(0, 120);
    await reads(page, 'One. The second way.');
    await branch(page, '2 of 3').hover();
    await page.mouse.wheel(0, -120);
    await reads(page, 'One. The first way.');
    await page.mouse.wheel(0, -120);
    await reads(page, 'One. The third way.');
  });

  test('[W22] a swipe on the counter turns branches; what is shown of a version keeps what follows', async () => {
    const page = await continued('Swipe', { hasTouch: true });
    await swipe(page, branch(page, '1 of 3'), { x: 0, y: -60 });
    await reads(page, 'One. The second way.');
    await swipe(page, branch(page, '2 of 3'), { x: 60, y: 0 });
    await reads(page, 'One. The first way.');
    await page.keyboard.press('Control+Home');
    await page.keyboard.type('Only ');
    await page.keyboard.press('Control+s');
    await swipe(page, page.getByRole('button', { name: 'Version 2 of 2.' }), { x: 0, y: 60 });
    await reads(page, 'One. The first way.');
  });

  test('[W20] a merge joins a node with the one before; both authors keep their words', async () => {
    const page = await continued('Merge');
    await page.keyboard.press('Control+End');
    await page.keyboard.press('Alt+m');
    await see(branch(page, '2 of 2'));
    expect(await shown(page)).toBe('One. The first way.');
    await expect.poll(() => coloured(page)).toBe(' The first way.');
    await page.keyboard.press('Control+z');
    await see(branch(page, '1 of 3'));
  });

  test('[W22] hoisting shows only what follows a node, and all again', async () => {
    const page = await continued('Hoist');
    await page.keyboard.press('Control+End');
    await page.keyboard.press('Control+Space');
    await reads(page, 'One. The first way. The first way.');
    const outline = page.getByRole('tree', { name: 'Outline' }).getByRole('treeitem');
    await expect.poll(() => outline.count()).toBe(7);
    await page.keyboard.press('Control+Home');
    await page.keyboard.press('Alt+ArrowRight');
    await page.getByRole('tab', { name: 'Node' }).click();
    await page.getByRole('button', { name: 'Show only this branch' }).click();
    await see(page.getByText('Only one branch is shown.'));
    await expect.poll(() => outline.count()).toBe(4);
    await page.getByRole('button', { name: 'Show all' }).click();
    await expect.poll(() => outline.count()).toBe(7);
  });

  test('[W26] a file dropped on the text becomes a loom; one that is none is told in a sentence', async () => {
    const page = await looms.open(await looms.newLoom('Drop', 'Here.'));
    const drop = async (name: string, content: string) => {
      const data = await page.evaluateHandle(
        ([called, inside]) => {
          const transfer = new DataTransfer();
          transfer.items.add(new File([inside!], called!));
          return transfer;
        },
        [name, content],
      );
      await page.locator('.loom-text').dispatchEvent('drop', { dataTransfer: data });
    };
    await drop('broken.json', '{"this": "is no loom"}');
    await see(page.getByRole('alert'));
    expect(await shown(page)).toBe('Here.');
    await drop('tree.json', readFileSync(join(import.meta.dirname, '../recordings/looms/miniloom.json'), 'utf8'));
    await see(page.getByRole('status').getByText('was imported'));
    expect(await shown(page)).not.toBe('Here.');
  });

  test('[W6] every node written against an earlier text is marked, in the margin, in the text and in words', async () => {
    const page = await continued('Stale');
    for (const more of [' Two.\n', ' Three.']) {
      await page.keyboard.press('Control+End');
      await page.keyboard.type(more);
      await page.keyboard.press('Control+Space');
      await expect.poll(() => shown(page)).toContain(`${more} The first way.`);
      await gone(page.getByRole('button', { name: 'Stop' }));
    }
    expect(await text(page).locator('.stale').count()).toBe(0);
    await page.keyboard.press('Control+Home');
    await page.keyboard.type('Just ');
    await page.keyboard.press('Control+s');
    const marks = page.getByRole('button', { name: 'Written against an earlier version' });
    // Five nodes in two lines: one mark to a line, and the text itself from the second node on.
    await expect.poll(() => marks.count()).toBe(2);
    expect((await text(page).locator('.stale').allTextContents()).join('')).toBe(
      (await shown(page)).replace('Just One.', '').replaceAll('\n', ''),
    );
    await shots(page, 'loom-stale');
    await marks.last().focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Alt+w');
    const who = page.getByRole('dialog', { name: 'Who wrote this' });
    await see(who.getByText('Written against an earlier version of the text before it.'));
  });

  test('[W22] a note and a rating are written, kept for others, and taken away again', async () => {
    const id = await looms.newLoom('Marks', 'Good line.');
    const page = await looms.open(id);
    await page.getByRole('tab', { name: 'Node' }).click();
    await page.getByLabel('Rating').fill('7');
    await page.getByLabel('Rating').press('Enter');
    await page.getByLabel('Note').fill('Keep this.');
    await text(page).click();
    const marks = async () => (await pages.human().thread(id).loom.path()).path[0]?.marks;
    await expect.poll(marks).toEqual({ rating: 7, note: 'Keep this.' });
    await page.reload();
    await page.getByRole('tab', { name: 'Node' }).click();
    await expect.poll(() => page.getByLabel('Note').inputValue()).toBe('Keep this.');
    await page.getByLabel('Note').fill('');
    await page.getByLabel('Rating').fill('');
    await text(page).click();
    await expect.poll(marks).toBeUndefined();
  });

  test('[I15] nothing moves for whoever wants no motion', async () => {
    const page = await continued('Still', { reducedMotion: 'reduce' });
    await page.keyboard.press('Alt+ArrowDown');
    await see(page.getByRole('listbox', { name: 'Continuations' }));
    const moving = await page.evaluate(() => {
      const roots: (Document | ShadowRoot)[] = [document];
      for (const each of document.querySelectorAll('*')) if (each.shadowRoot) roots.push(each.shadowRoot);
      return roots.flatMap((root) => root.getAnimations()).length;
    });
    expect(moving).toBe(0);
  });
});
