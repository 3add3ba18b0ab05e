import type { Page } from 'playwright-core';
import { describe, expect, test, vi } from 'vitest';
import { hueOf } from '../../web/ui/people/hue.ts';
import { branch, coloured, reads, setUpLooms, shelf, shots, shown, text } from './page-loom-support.ts';
import { gone, see } from './page-support.ts';

vi.setConfig({ testTimeout: 60_000 });
const looms = setUpLooms();
const { pages } = looms;
const THREE = [' The first way.', ' The second way.', ' The third way.'];

/** Words that come one by one, so that something can be done meanwhile. */
function slowly(start: string, count = 50): string {
  return Array.from({ length: count }, (_, i) => ` ${start}${i}`).join('');
}

/** A finger drawn sideways that rests before it lifts: how far a flung row would roll is up to the browser. */
async function swipe(page: Page, from: { readonly x: number; readonly y: number }, to: number): Promise<void> {
  const touches = await page.context().newCDPSession(page);
  let timestamp = Date.now() / 1000;
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', x?: number) => {
    timestamp += type === 'touchEnd' ? 0.5 : 0.016;
    const touchPoints = x === undefined ? [] : [{ x, y: from.y }];
    return touches.send('Input.dispatchTouchEvent', { type, touchPoints, timestamp });
  };
  await touch('touchStart', from.x);
  for (let x = from.x - 10; x > to; x -= 20) await touch('touchMove', x);
  await touch('touchEnd');
}

async function continued(title: string, options = {}, own = 'One.'): Promise<Page> {
  looms.script({ answers: [{ choices: THREE, repeat: 'always' }] });
  const page = await looms.open(await looms.newLoom(title, own), options);
  await page.keyboard.press('Control+Space');
  await reads(page, `${own} The first way.`);
  await gone(page.getByRole('button', { name: 'Stop' }));
  return page;
}

describe('[I15] the face of the loom', () => {
  test('[I20] [W15] an author has the same hue in the text, in the margin, on the shelf, in the outline and in a thread', async () => {
    const page = await continued('Hues', {}, 'One.\n\n');
    const written = await text(page).locator('.by').first().getAttribute('class');
    const model = /told\d+/.exec(
      (await page.getByRole('button', { name: /^Models: / }).getAttribute('aria-label')) ?? '',
    )?.[0];
    const [hue, own] = [String(hueOf(model ?? '')), String(hueOf('human'))];
    expect(written).toContain(`hue-${hue}`);
    await expect.poll(() => page.locator(`.marks .stripe.hue-${own}.own`).count()).toBe(1);
    await expect.poll(() => page.locator(`.marks .stripe.hue-${hue}`).count()).toBe(1);
    expect(await shelf(page).first().getAttribute('data-hue')).toBe(hue);
    const rows = page.getByRole('treeitem');
    expect(await rows.filter({ hasText: 'The first way.' }).getAttribute('data-hue')).toBe(hue);
    expect(await rows.filter({ hasText: 'One.' }).getAttribute('data-hue')).toBe(own);
    const { thread } = await pages.human().threads.create({ title: 'Beside' });
    await pages
      .human()
      .thread(thread.id)
      .post({ type: 'message', content: 'Here I am.' } as never);
    await page.goto(`${pages.server.url}/threads/${thread.id}`);
    await see(page.getByText('Here I am.').first());
    expect(await page.locator(`main [data-hue="${own}"]`).count()).toBeGreaterThan(0);
  });

  test('[M12] [W22] the shelf grows while three texts are written; Alt and a number choose one, and writing on takes it', async () => {
    looms.script({ answers: [{ choices: [slowly('a'), slowly('b'), slowly('c')], pace: 100 }] });
    const page = await looms.open(await looms.newLoom('Shelf', 'Start.'));
    await page.keyboard.press('Control+Space');
    await see(shelf(page).nth(2).getByText('c3'));
    await see(shelf(page).nth(2).getByText('Writing'));
    expect(await shelf(page).nth(0).getAttribute('aria-selected')).toBe('true');
    await page.keyboard.press('Alt+2');
    await expect.poll(() => shown(page)).toContain('Start. b0 b1');
    expect(await shelf(page).nth(1).getAttribute('aria-selected')).toBe('true');
    await page.keyboard.press('Control+.');
    await gone(page.getByRole('button', { name: 'Stop' }));
    await see(shelf(page).nth(1).getByText('stopped, kept'));
    await see(branch(page, '2 of 3'));
    await page.keyboard.press('Control+End');
    await page.keyboard.type('1 and on');
    await gone(shelf(page).first());
    expect(await shown(page)).toMatch(/^Start\. b0 .*1 and on$/);
  });

  test('[W22] with the focus on the shelf a number alone chooses; the chosen one pressed again is taken', async () => {
    const page = await continued('Numbers');
    await shelf(page).first().focus();
    await page.keyboard.press('3');
    await reads(page, 'One. The third way.');
    await page.keyboard.press('2');
    await reads(page, 'One. The second way.');
    await see(shelf(page).nth(1).getByText('3 words · ends a sentence'));
    await shelf(page).nth(1).click();
    await gone(shelf(page).first());
    await reads(page, 'One. The second way.');
    // What was not taken is a press away.
    await branch(page, '2 of 3').click();
    await see(shelf(page).nth(2));
    await page.keyboard.press('Escape');
    await gone(shelf(page).first());
  });

  test('[W22] the mouse wheel over the shelf turns it, one notch each', async () => {
    const page = await continued('Scroll');
    await shelf(page).nth(1).hover();
    await page.mouse.wheel(0, 120);
    await reads(page, 'One. The second way.');
    await expect.poll(() => shelf(page).nth(1).getAttribute('aria-selected')).toBe('true');
  });

  test('[W22] on a phone the next continuation peeks in, and a swipe chooses it', async () => {
    const page = await continued('Phone', { hasTouch: true, viewport: { width: 360, height: 740 } });
    const [first, second] = [await shelf(page).nth(0).boundingBox(), await shelf(page).nth(1).boundingBox()];
    expect(second!.x).toBeLessThan(360);
    expect(second!.x + second!.width).toBeGreaterThan(360);
    await swipe(page, { x: 300, y: first!.y + first!.height / 2 }, 60);
    await reads(page, 'One. The second way.');
    await expect.poll(() => shelf(page).nth(1).getAttribute('aria-selected')).toBe('true');
    // The text itself is swiped too, where there is no room for a counter.
    const line = (await text(page).locator('.cm-line').first().boundingBox())!;
    await swipe(page, { x: 180, y: line.y + 12 }, 80);
    await reads(page, 'One. The third way.');
  });

  test('[W15] your own text stays plain until authors are looked at: by a view with their shares, or while Alt is held', async () => {
    const page = await continued('Authors');
    expect(await coloured(page)).toBe(' The first way.');
    expect(await text(page).locator('.person').count()).toBe(0);
    await page.keyboard.down('Alt');
    await expect.poll(() => text(page).locator('.person').allTextContents()).toEqual(['One.']);
    await page.keyboard.up('Alt');
    await expect.poll(() => text(page).locator('.person').count()).toBe(0);
    await page.getByRole('button', { name: 'Authors' }).click();
    const legend = page.getByRole('main').getByRole('region', { name: 'Authors' });
    await see(legend.getByText('1 word, 21%'));
    await see(legend.getByText('3 words, 79%'));
    expect(await text(page).locator('.person').allTextContents()).toEqual(['One.']);
    await shots(page, 'loom-authors');
    await page.getByRole('button', { name: 'Done' }).click();
    await gone(legend);
    await page.keyboard.type(' More.');
    await reads(page, 'One. The first way. More.');
  });

  test('[W23] [I15] the outline by keyboard: down to a branch that was not taken, and there', async () => {
    const page = await continued('Outline');
    const outline = page.getByRole('tree', { name: 'Outline' });
    const lines = async () => (await outline.getByRole('treeitem').allInnerTexts()).map((line) => line.split('\n')[0]);
    expect(await lines()).toEqual(['One.', 'The second way.', 'The third way.', 'The first way.']);
    await outline.focus();
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await reads(page, 'One. The third way.');
    await outline.focus();
    await page.keyboard.press('2');
    await reads(page, 'One. The second way.');
    await expect.poll(() => outline.locator('[aria-selected=true]').textContent()).toContain('The second way.');
  });

  test('[W16] several models share the continuations, each with its own face', async () => {
    looms.script({ answers: [{ choices: [' By the first.', ' Also by it.'], repeat: 'always' }] });
    const page = await looms.open(await looms.newLoom('Two models', 'One.'));
    await page.getByRole('button', { name: /^Models: told/ }).click();
    await page.getByRole('menuitemcheckbox', { name: /^small/ }).click();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Generate' }).click();
    await gone(page.getByRole('button', { name: 'Stop' }));
    // What is shown is of the model that was ready first.
    await see(shelf(page).nth(2));
    await expect.poll(() => shelf(page).filter({ hasText: 'small' }).count()).toBe(1);
    await see(shelf(page).filter({ hasText: 'Also by it.' }).getByText(/^told/));
    await shelf(page).filter({ hasText: 'By the first.' }).click();
    await reads(page, 'One. By the first.');
  });

  test('[W16] a generation that failed is tried again by its button, where the text would have come', async () => {
    const refused = { fault: 'server_error', status: 400, message: 'Out of order.' } as const;
    looms.script({ answers: [refused, { choices: THREE, repeat: 'always' }] });
    const page = await looms.open(await looms.newLoom('Again', 'One.'));
    await page.keyboard.press('Control+Space');
    await see(page.getByRole('alert').getByText('Out of order.'));
    expect(await shelf(page).count()).toBe(0);
    await page.getByRole('button', { name: 'Try again' }).click();
    await reads(page, 'One. The first way.');
    await gone(page.getByRole('alert'));
  });
});
