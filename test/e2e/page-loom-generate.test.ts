import type { Page } from 'playwright-core';
import { describe, expect, test, vi } from 'vitest';
import { branch, coloured, reads, setUpLooms, shots, shown, text } from './page-loom-support.ts';
import { gone, see } from './page-support.ts';

vi.setConfig({ testTimeout: 60_000 });
const looms = setUpLooms();
const { pages } = looms;

async function eventsOf(id: string, type: string) {
  const { events } = await pages.human().thread(id).events();
  return events.filter((event) => event.type === type).map(({ content }) => content as Record<string, unknown>);
}

async function caretAfter(page: Page, before: string): Promise<void> {
  await page.keyboard.press('Control+Home');
  for (let i = 0; i < before.length; i++) await page.keyboard.press('ArrowRight');
}

/** Words that come one by one, so that something can be done meanwhile. */
function slowly(start: string, count: number): string {
  return Array.from({ length: count }, (_, i) => ` ${start}${i}`).join('');
}

describe('[I15] generating in a loom', () => {
  test('[W18] a line in the text says from where on the model saw it, and each node says so too', async () => {
    looms.script({ context: 24, answers: [{ choices: [' And so on.'], repeat: 'always' }] });
    const id = await looms.newLoom('Window', 'The oldest sentence is long and full of words that nobody needs. ');
    const page = await looms.open(id);
    await page.keyboard.type('A newer sentence that fits well.');
    await page.getByRole('button', { name: '3 × 50 tokens' }).click();
    await page.getByLabel('Continuations').fill('1');
    await page.getByLabel('Tokens each').fill('8');
    await page.keyboard.press('Escape');
    await text(page).click();
    await page.keyboard.press('Control+End');
    await page.keyboard.press('Control+Space');
    const whole =
      'The oldest sentence is long and full of words that nobody needs. A newer sentence that fits well. And so on.';
    await reads(page, whole);
    // The text is read while it comes; the event is written after it.
    await expect.poll(() => eventsOf(id, 'generation.finished')).toMatchObject([{ dropped: { nodes: 1 } }]);
    const line = page.getByRole('separator', { name: /did not see the text above this line: its window was full/ });
    await see(line);
    const below = (await text(page).getByText('A newer sentence').boundingBox())!;
    expect((await line.boundingBox())!.y).toBeLessThan(below.y + below.height);
    await page.keyboard.press('Control+End');
    await page.getByRole('tab', { name: 'Node' }).click();
    await see(page.getByText('Written without the oldest node before it'));
    await shots(page, 'loom-window');
    await text(page).click();
    await page.keyboard.press('Control+z');
    await gone(line);
  });

  test('[W11] whoever has more written by the button turns to another way by the next key, where it was written', async () => {
    const choices = (words: string) => ({ choices: [` ${words} one.`, ` ${words} two.`, ` ${words} three.`] });
    looms.script({ answers: [choices('First'), choices('Then')] });
    const id = await looms.newLoom('By the button', 'Begin.');
    const page = await looms.open(id);
    const more = page.getByRole('button', { name: 'Generate' });
    await more.click();
    await reads(page, 'Begin. First one.');
    await page.keyboard.press('Alt+ArrowDown');
    await reads(page, 'Begin. First two.');
    await more.click();
    await reads(page, 'Begin. First two. Then one.');
    await page.keyboard.press('Alt+ArrowDown');
    await reads(page, 'Begin. First two. Then two.');
    await page.keyboard.type(' And I.');
    await reads(page, 'Begin. First two. Then two. And I.');
  });

  test('[W21] exploring: started with a budget, watched, paused, gone on with, and what is best gone to', async () => {
    const answer = (words: string) => ({ choices: [` ${words} a.`, ` ${words} b.`], pace: 150 });
    looms.script({ answers: ['one', 'two', 'three', 'four', 'five', 'six'].map(answer), loop: true });
    const id = await looms.newLoom('Explore', 'Begin.');
    const page = await looms.open(id);
    await page.getByRole('tab', { name: 'Explore' }).click();
    await page.getByLabel('Branches each time').fill('2');
    await page.getByLabel('Depth limit').fill('4');
    await page.getByLabel('Node limit').fill('6');
    await page.getByRole('combobox', { name: 'Best means' }).click();
    await page.getByRole('option', { name: 'Most novel' }).click();
    await page.getByRole('button', { name: 'Explore', exact: true }).click();
    const course = page.getByRole('article', { name: 'Exploration' });
    await see(course.getByText('2 of 6 nodes'));
    await course.getByRole('button', { name: 'Pause' }).click();
    await see(course.getByText('Paused:'));
    await shots(page, 'loom-explore');
    await course.getByRole('button', { name: 'Resume' }).click();
    await see(course.getByText('Explored: 6 of 6 nodes'));
    expect(await eventsOf(id, 'exploration.started')).toMatchObject([
      { breadth: 2, depth: 4, nodes: 6, rank: 'novelty' },
    ]);
    expect(await shown(page)).toBe('Begin.');
    await course.getByRole('list', { name: 'Best results' }).getByRole('button').first().click();
    await expect.poll(() => shown(page)).toMatch(/^Begin\..* [ab]\.$/);
  });

  test('[W21] an exploration is ended below the text, with what it made kept', async () => {
    looms.script({ answers: [{ choices: [slowly('w', 40)], pace: 100, repeat: 'always' }] });
    const id = await looms.newLoom('Ended', 'Begin.');
    const page = await looms.open(id);
    await page.getByRole('tab', { name: 'Explore' }).click();
    await page.getByRole('button', { name: 'Explore', exact: true }).click();
    const dock = page.locator('main footer');
    await see(dock.getByText('Exploring:'));
    await dock.getByRole('button', { name: 'End' }).click();
    await gone(dock.getByText('Exploring:'));
    await see(page.getByRole('article', { name: 'Exploration' }).getByText('Ended:'));
  });

  test('[W20] going on from the caret splits the node; what stood behind it is a branch beside what comes', async () => {
    looms.script({ answers: [{ choices: [' rose.', ' fell.'], repeat: 'always' }] });
    const page = await looms.open(await looms.newLoom('Here', 'The sun was high.'));
    await caretAfter(page, 'The sun');
    await page.keyboard.press('Control+Shift+Space');
    await reads(page, 'The sun rose.');
    await see(branch(page, '2 of 4'));
    await page.keyboard.press('Control+End');
    await page.keyboard.press('Alt+ArrowUp');
    await reads(page, 'The sun was high.');
  });

  test('[W20] filling in: the model is given what follows, and its words can be put before it with their author', async () => {
    looms.script({ answers: [{ choices: [', old and red,'], repeat: 'always' }] });
    const id = await looms.newLoom('Fill', 'The sun was high.');
    const page = await looms.open(id);
    await page.keyboard.press('Control+End');
    await page.keyboard.press('Alt+i');
    await see(page.getByRole('alert').getByText('There is no text after the caret'));
    await caretAfter(page, 'The sun');
    await page.getByRole('tab', { name: 'Node' }).click();
    await page.getByRole('button', { name: 'Fill in at the caret' }).click();
    await reads(page, 'The sun, old and red,');
    expect(await eventsOf(id, 'generation.requested')).toMatchObject([{ fill: true }]);
    await shots(page, 'loom-filled');
    await page.getByRole('button', { name: 'Insert the fill-in' }).click();
    await reads(page, 'The sun, old and red, was high.');
    expect(await coloured(page)).toBe(', old and red,');
  });

  test('[W20] a model that cannot fill in says so and nothing changes', async () => {
    looms.script({ answers: [{ text: 'x' }] });
    const id = await looms.newLoom('Cannot', 'One two.');
    const page = await looms.open(id);
    await page.getByRole('button', { name: /^Models: told/ }).click();
    await page.getByRole('menuitemcheckbox', { name: /^small/ }).click();
    await page.getByRole('menuitemcheckbox', { name: /^told/ }).last().click();
    await page.keyboard.press('Escape');
    await text(page).click();
    await caretAfter(page, 'One');
    await page.keyboard.press('Alt+i');
    await see(page.getByRole('alert').getByText('small cannot fill in the middle'));
    expect(await eventsOf(id, 'loom.divided')).toEqual([]);
  });

  test('[W9] [W16] an edit of text that still grows, committed at once: the version has the edit and all that came', async () => {
    const words = slowly('a', 45);
    looms.script({ answers: [{ choices: [words], pace: 60 }] });
    const id = await looms.newLoom('Growing', 'Start.');
    const page = await looms.open(id);
    await page.keyboard.press('Control+Space');
    await expect.poll(() => shown(page)).toContain(' a3');
    await caretAfter(page, 'Start. a0');
    await page.keyboard.type('!');
    await page.keyboard.press('Control+s');
    await page.keyboard.type('?');
    const wanted = `Start. a0!?${words.slice(' a0'.length)}`;
    await reads(page, wanted);
    await gone(page.getByRole('button', { name: 'Stop' }));
    await page.keyboard.press('Control+s');
    await see(page.getByRole('button', { name: 'Version 3 of 3.' }));
    expect(await shown(page)).toBe(wanted);
    const committed = await eventsOf(id, 'loom.committed');
    expect(JSON.stringify(committed)).toContain(` a0!${words.slice(' a0'.length)}`);
    expect(JSON.stringify(committed)).toContain(` a0!?${words.slice(' a0'.length)}`);
    expect(await coloured(page)).toBe(words);
    expect((await pages.human().thread(id).loom.path()).text).toBe(wanted);
  });

  test('[W16] another choice than the first is edited while it grows, and stopped: edit and choice are kept', async () => {
    // Ten seconds, so that also on a slow machine it is stopped before its end.
    looms.script({ answers: [{ choices: [slowly('a', 50), slowly('b', 50)], pace: 200 }] });
    const id = await looms.newLoom('Second', 'Start.');
    const page = await looms.open(id);
    await page.keyboard.press('Control+Space');
    await expect.poll(() => shown(page)).toContain(' a1');
    await page.keyboard.press('Alt+ArrowDown');
    await expect.poll(() => shown(page)).toContain(' b2');
    await caretAfter(page, 'Start. b0');
    await page.keyboard.type('!');
    await page.keyboard.press('Control+s');
    await page.getByRole('button', { name: 'Stop' }).click();
    await gone(page.getByRole('button', { name: 'Stop' }));
    await see(page.getByRole('button', { name: 'Version 2 of 2.' }));
    expect(await shown(page)).toMatch(/^Start\. b0! b1 b2/);
    expect(await shown(page)).not.toContain('b49');
    expect((await pages.human().thread(id).loom.path()).text).toBe(await shown(page));
  });

  test('[W9] an edit of another choice than the first stays pending when the choice is finished', async () => {
    const second = slowly('b', 45);
    looms.script({ answers: [{ choices: [slowly('a', 45), second], pace: 60 }] });
    const id = await looms.newLoom('Pending', 'Start.');
    const page = await looms.open(id);
    await page.keyboard.press('Control+Space');
    await expect.poll(() => shown(page)).toContain(' a1');
    await page.keyboard.press('Alt+ArrowDown');
    await expect.poll(() => shown(page)).toContain(' b2');
    await caretAfter(page, 'Start. b0');
    await page.keyboard.type('!');
    await gone(page.getByRole('button', { name: 'Stop' }));
    const wanted = `Start. b0!${second.slice(' b0'.length)}`;
    await reads(page, wanted);
    await see(branch(page, '2 of 3'));
    await page.keyboard.press('Control+s');
    await see(page.getByRole('button', { name: 'Version 2 of 2.' }));
    expect((await pages.human().thread(id).loom.path()).text).toBe(wanted);
  });

  test('[W9] an edit of text that still grew when the page was left is back on the finished node', async () => {
    looms.script({ answers: [{ choices: [slowly('a', 30)], pace: 60 }] });
    const id = await looms.newLoom('Left', 'Start.');
    const page = await looms.open(id);
    await page.keyboard.press('Control+Space');
    await expect.poll(() => shown(page)).toContain(' a3');
    await caretAfter(page, 'Start. a0');
    await page.keyboard.type('!');
    await page.context().pages()[0]!.goto('about:blank');
    await expect.poll(async () => (await eventsOf(id, 'generation.finished')).length, { timeout: 15_000 }).toBe(1);
    await page.goto(`${pages.server.url}/loom/${id}`);
    await reads(page, `Start. a0!${slowly('a', 30).slice(' a0'.length)}`);
  });

  test('[D31] a model that must be waited for is named on each card, and why is said once', async () => {
    looms.script({ answers: [{ fault: 'rate_limited', retry_after: 300, repeat: 'always' }] });
    const id = await looms.newLoom('Patience', 'Start.');
    const page = await looms.open(id);
    await page.keyboard.press('Control+Space');
    const cards = page.getByRole('listbox', { name: 'Continuations' }).getByRole('option');
    await see(cards.nth(2).getByText('Waiting for the model'));
    expect(await cards.getByText('Waiting for the model').count()).toBe(3);
    expect(
      await page
        .getByRole('region', { name: 'Shelf' })
        .getByText(/rate-limited/)
        .count(),
    ).toBe(1);
  });

  test('[I15] the view of authors begins at the first line, with who wrote how much above it', async () => {
    looms.script({ answers: [{ choices: [' And so on.'], repeat: 'always' }] });
    const id = await looms.newLoom('Whose', Array.from({ length: 11 }, (_, i) => `Line ${i}.`).join('\n'));
    const page = await looms.open(id);
    await page.getByRole('button', { name: 'Authors' }).click();
    const legend = page.getByRole('main').getByRole('region', { name: 'Authors' });
    await see(legend);
    const bottom = await legend.evaluate((element) => element.getBoundingClientRect().bottom);
    const first = await text(page).evaluate((element) => element.getBoundingClientRect().top);
    expect(first).toBeGreaterThanOrEqual(bottom);
  });
});
