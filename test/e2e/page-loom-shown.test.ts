import type { Page } from 'playwright-core';
import { describe, expect, test, vi } from 'vitest';
import { branch, reads, setUpLooms, shelf, shown } from './page-loom-support.ts';
import { gone, see } from './page-support.ts';

vi.setConfig({ testTimeout: 60_000 });
const looms = setUpLooms();
const { pages } = looms;

/** Words that come one by one, so that something can be done meanwhile. */
function slowly(start: string, count: number): string {
  return Array.from({ length: count }, (_, i) => ` ${start}${i}`).join('');
}

/** The first choice breaks off while the others, which are asked for one by one, come to their ends. */
function firstBreaksOff(): void {
  looms.script({
    n: 1,
    answers: [
      { text: slowly('a', 45), pace: 100, fault: 'cut', after: 40 },
      { text: slowly('b', 45), pace: 100 },
      { text: slowly('c', 45), pace: 100 },
    ],
  });
}

async function generating(title: string): Promise<{ id: string; page: Page }> {
  const id = await looms.newLoom(title, 'Start.');
  const page = await looms.open(id);
  await page.keyboard.press('Control+Space');
  return { id, page };
}

async function caretAfter(page: Page, before: string): Promise<void> {
  await page.keyboard.press('Control+Home');
  for (let i = 0; i < before.length; i++) await page.keyboard.press('ArrowRight');
}

const pathText = async (id: string) => (await pages.human().thread(id).loom.path()).text;
const finished = (page: Page) => gone(page.getByRole('button', { name: 'Stop' }));

describe('[I15] the choice that is shown', () => {
  test('[W4] the first choice is blank: I see the next one, in its place among the others', async () => {
    looms.script({ answers: [{ choices: ['', ' Whole.', ' Other.'] }] });
    const { id, page } = await generating('Blank');
    await reads(page, 'Start. Whole.');
    await see(branch(page, '2 of 3'));
    expect(await pathText(id)).toBe('Start. Whole.');
    await page.keyboard.type(' And I.');
    await reads(page, 'Start. Whole. And I.');
  });

  test('[W4] the first choice breaks off while I only watch: I see the first that is whole', async () => {
    firstBreaksOff();
    const { id, page } = await generating('Broken');
    await expect.poll(() => shown(page)).toContain(' a2');
    await reads(page, `Start.${slowly('b', 45)}`);
    await see(branch(page, '2 of 3'));
    expect(await pathText(id)).toBe(await shown(page));
  });

  test('[W4] [W9] I edit the first choice while it grows, and it breaks off: I stay with it and my edit', async () => {
    firstBreaksOff();
    const { id, page } = await generating('Edited');
    await expect.poll(() => shown(page)).toContain(' a2');
    await caretAfter(page, 'Start. a0');
    await page.keyboard.type('!');
    await finished(page);
    await see(branch(page, '1 of 3'));
    await expect.poll(() => shown(page)).toMatch(/^Start\. a0! a1 a2 .*a39$/);
    await page.keyboard.press('Control+s');
    await see(page.getByRole('button', { name: 'Version 2 of 2.' }));
    expect(await pathText(id)).toBe(await shown(page));
  });

  test.each([
    ['while it grows', true],
    ['when it has ended', false],
  ])('[W4] [W9] I write after the first choice, which breaks off, and save %s: both stay', async (_, isEarly) => {
    firstBreaksOff();
    const { id, page } = await generating('Written after');
    await expect.poll(() => shown(page)).toContain(' a2');
    await page.keyboard.press('Control+End');
    await page.keyboard.type(' Mine.');
    if (isEarly) await page.keyboard.press('Control+s');
    await finished(page);
    if (!isEarly) await page.keyboard.press('Control+s');
    await expect.poll(() => pathText(id)).toMatch(/^Start\. a0 a1 .*a39 Mine\.$/);
    await reads(page, await pathText(id));
  });

  test('[W4] [W22] I turn to another choice and back while they grow: I stay where I turned to', async () => {
    firstBreaksOff();
    const { id, page } = await generating('Turned back');
    await expect.poll(() => shown(page)).toContain(' a2');
    await page.keyboard.press('Alt+ArrowDown');
    await expect.poll(() => shown(page)).toContain(' b');
    await page.keyboard.press('Alt+ArrowUp');
    await expect.poll(() => shown(page)).toContain(' a');
    await finished(page);
    await see(branch(page, '1 of 3'));
    expect(await shown(page)).toMatch(/^Start\. a0 .*a39$/);
    await expect.poll(() => pathText(id)).toBe(await shown(page));
  });

  test('[W16] [W22] I turn to the second choice while the first brings nothing: it stays mine, with my edit', async () => {
    const refused = { fault: 'server_error', status: 400, message: 'Not this one.' } as const;
    looms.script({
      n: 1,
      answers: [refused, { text: slowly('b', 45), pace: 100 }, { text: slowly('c', 45), pace: 100 }],
    });
    const { id, page } = await generating('Nothing first');
    await see(shelf(page).nth(1).getByText('b2'));
    await page.keyboard.press('Alt+ArrowDown');
    await expect.poll(() => shown(page)).toContain(' b2');
    await caretAfter(page, 'Start. b0');
    await page.keyboard.type('!');
    await page.keyboard.press('Control+s');
    await finished(page);
    await see(page.getByRole('button', { name: 'Version 2 of 2.' }));
    await reads(page, `Start. b0!${slowly('b', 45).slice(' b0'.length)}`);
    expect(await pathText(id)).toBe(await shown(page));
  });
});
