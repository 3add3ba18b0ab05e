import { expect, test, vi } from 'vitest';
import { soon } from './page-dialogue-support.ts';
import { choose, exchanges, letter, round, thinks, wants } from './page-exchange-support.ts';
import { gone, noSeriousFindings, see, setUpPages, shortcut } from './page-support.ts';

vi.setConfig({ testTimeout: 90_000 });
const pages = setUpPages();
const { create, events, remote } = exchanges(pages);

const words = (count: number, word: string) => Array.from({ length: count }, (_, i) => `${word}${i}`).join(' ');
const slowly = (text: string, pace = 40) => ({ text, pace });
const LONG = Array.from({ length: 30 }, (_, i) => `Paragraph ${i}: ${words(40, 'word')}`).join('\n\n');

/** The last words of a growing text, and the state of its caret. */
const story = '[aria-label="Rounds and audits, oldest first"]';

test('[M12] [I14] thoughts of minds that think at once grow side by side in their round, and stay where they are', async () => {
  const [first, second] = [words(60, 'reed'), words(60, 'net')];
  const minds = [[slowly(thinks(first))], [slowly(thinks(second))]];
  const id = await create('Streams', { minds }, { parallel: true, audit_every: 50 });
  const page = await pages.open(`/exchange/${id}`);
  await see(page.getByText('No round has run yet'));
  await shortcut(page, '.');
  const live = round(page, 1);
  await see(live.getByText(/reed0 reed1/));
  await see(live.getByText(/net0 net1/));
  expect(await live.getByText('reed59').count()).toBe(0);
  await see(page.getByRole('group', { name: 'Rounds' }).getByRole('button', { name: 'Stop' }));
  await soon(() => page.getByRole('status', { name: 'State of the exchange' }).innerText()).toMatch(/^Running/);
  // What is written is never shown twice and never gone, from the first word to its number.
  const seen = page.evaluate(async (within) => {
    const area = document.querySelector(within) as HTMLElement;
    const wrong: string[] = [];
    let before = 0;
    while (!area.querySelector('[data-thought="2"]')) {
      const text = area.innerText;
      const count = text.split('reed0 ').length - 1;
      const length = text.match(/reed\d+/g)?.length ?? 0;
      if (count !== 1 || length < before) wrong.push(`${count} times, ${length} after ${before} words`);
      before = length;
      await new Promise(requestAnimationFrame);
    }
    return wrong;
  }, story);
  await see(round(page, 1).getByRole('button', { name: '#2' }));
  expect(await seen).toEqual([]);
  expect(await round(page, 1).count()).toBe(1);
});

test('[M12] an audit grows as the letter it will be; a reader who scrolled up is not moved and can jump back', async () => {
  const minds = [[thinks(LONG.slice(0, 3000)), thinks(LONG.slice(0, 2900))]];
  const audit = `${words(150, 'tide')} as in [#1] and [#77].`;
  const id = await create('Letters', { minds, audits: [slowly(audit, 30)] }, { audit_every: 2 });
  await remote(id).command('run', { rounds: 2 });
  const page = await pages.open(`/exchange/${id}`, { viewport: { width: 1280, height: 500 } });
  const growing = letter(page, 1);
  await see(growing.getByText(/tide0 tide1/));
  const area = page.locator(story).locator('xpath=ancestor::*[2]');
  await area.evaluate((element) => element.scrollTo({ top: 40, behavior: 'instant' }));
  await see(page.getByRole('button', { name: 'Jump to latest' }));
  const top = await area.evaluate((element) => element.scrollTop);
  await soon(() => growing.innerText()).toContain('tide149');
  await see(growing.locator('s', { hasText: '#77' }));
  expect(await area.evaluate((element) => element.scrollTop)).toBe(top);
  await page.getByRole('button', { name: 'Jump to latest' }).click();
  await gone(page.getByRole('button', { name: 'Jump to latest' }));
  await see(growing.getByRole('link', { name: '#1' }));
  expect(await letter(page, 1).count()).toBe(1);
});

test('[I14] the story runs from the question down: rounds, the audit, my answer, the next round; it opens at its end', async () => {
  const cast = { minds: [[thinks('One.'), thinks('Two.'), thinks('Three.')]], audits: ['So far [#1].'] };
  const setup = { audit_every: 2, ask_after_audit: 'always', question: 'What is the sea?' };
  const id = await create('Order', cast, setup);
  await remote(id).command('run', { rounds: 3 });
  const page = await pages.open(`/exchange/${id}`, { viewport: { width: 1280, height: 420 } });
  await wants(page, 'Audit 1 waits for your answer.');
  await shortcut(page, 'o');
  await page.keyboard.type('It is wide.');
  await page.keyboard.press('Enter');
  await see(round(page, 3).getByRole('button', { name: '#3' }));
  await see(page.getByText('You answered audit 1'));
  const text = await page.locator(story).locator('xpath=..').innerText();
  const places = ['What is the sea?', 'One.', 'Two.', 'So far', 'It is wide.', 'Three.'].map((each) =>
    text.indexOf(each),
  );
  expect(places).toEqual([...places].sort((a, b) => a - b));
  expect(places[0]).toBeGreaterThanOrEqual(0);
  await soon(() => round(page, 3).evaluate((element) => element.getBoundingClientRect().bottom < innerHeight)).toBe(
    true,
  );
});

test('[I14] [X21] an exchange that has not begun is set up in one dialog, which sends what was chosen and starts', async () => {
  const id = await create('Set up', { minds: [[thinks('A thought.')]] });
  const page = await pages.open(`/exchange/${id}`);
  await page.getByRole('button', { name: 'Set up' }).click();
  const dialog = page.getByRole('dialog', { name: 'Set up the exchange' });
  await dialog.getByLabel('Question').fill('Who mends the nets?');
  await dialog.getByLabel('Name of mind 1').fill('gull');
  await dialog.getByRole('button', { name: 'Add a mind' }).click();
  await dialog.getByLabel('Name of mind 2').fill('heron');
  await choose(page, dialog.getByRole('combobox', { name: 'Model of mind 2' }), 'small');
  await dialog.getByRole('button', { name: 'Remove mind 2' }).click();
  await dialog.getByLabel('Audit every').fill('often');
  await dialog.getByRole('button', { name: 'Start round 1' }).click();
  await see(dialog.getByText('“often” is not a number. Enter one for “Audit every (rounds)”.'));
  await dialog.getByLabel('Audit every').fill('1');
  await choose(page, dialog.getByRole('combobox', { name: 'Pause for your answer after an audit' }), 'Always');
  await dialog.getByLabel('Rounds', { exact: true }).fill('9');
  await noSeriousFindings(page, 'the set-up dialog');
  await dialog.getByRole('button', { name: 'Start round 1' }).click();
  await gone(dialog);
  await see(letter(page, 1));
  await see(page.getByText('Who mends the nets?'));
  expect((await events(id, 'terms.set')).at(-1)?.content).toMatchObject({
    set: {
      question: 'Who mends the nets?',
      minds: [{ id: 'gull' }],
      audit_every: 1,
      ask_after_audit: 'always',
      budget: { rounds: 9 },
    },
    effective: 1,
  });
  expect(await page.getByRole('button', { name: 'Set up' }).count()).toBe(0);
});

test('[I14] [I11] earlier rounds load above without moving the reader', async () => {
  const cast = { minds: [[thinks('The sea is loud.'), thinks('The sea is calm.')]] };
  const id = await create('Back', cast, { audit_every: 500 });
  await remote(id).command('run', { rounds: 60 });
  await expect.poll(async () => (await events(id, 'rounds.ended')).length, { timeout: 60_000 }).toBe(1);
  const page = await pages.open(`/exchange/${id}`);
  await see(round(page, 60));
  await gone(round(page, 20));
  const area = page.locator(story).locator('xpath=ancestor::*[2]');
  const placeOf21 = () => round(page, 21).evaluate((element) => Math.round(element.getBoundingClientRect().top));
  // A jump is no scrolling up to the beginning: nothing loads until the reader moves.
  await area.evaluate((element) => element.scrollTo({ top: 320, behavior: 'instant' }));
  await soon(() => area.evaluate((element) => element.scrollTop)).toBe(320);
  const before = await placeOf21();
  await page
    .getByRole('button', { name: 'Show earlier rounds (20 more)' })
    .evaluate((button: HTMLElement) => button.click());
  await see(round(page, 1));
  expect(await placeOf21()).toBe(before);
  await gone(page.getByRole('button', { name: /Show earlier rounds/ }));
});

test('[I11] [I14] at 360 pixels: everything in reach of a thumb, nothing wider than the screen', async () => {
  const cast = { minds: [[thinks(`x${'y'.repeat(300)}`, 'يقف مالك الحزين بين القصب')]], audits: ['All [#1].'] };
  const id = await create('Thumb', cast, { audit_every: 1, ask_after_audit: 'always' });
  await remote(id).command('run', { rounds: 2 });
  const page = await pages.open(`/exchange/${id}`, { viewport: { width: 360, height: 740 }, hasTouch: true });
  await wants(page, /Audit 1 waits/);
  const small = await page.getByRole('main').evaluate((main) =>
    [...main.querySelectorAll('button, summary')]
      .map((each) => ({
        name: each.textContent || each.getAttribute('aria-label'),
        height: each.getBoundingClientRect().height,
      }))
      .filter(({ height }) => height > 0 && height < 44),
  );
  expect(small).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  await page.getByRole('button', { name: 'Terms and settings' }).click();
  await see(page.getByRole('menuitem', { name: 'Audit now' }));
  await see(page.getByRole('menuitem', { name: 'Branch' }));
});
