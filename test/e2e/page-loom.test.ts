import { beforeAll, describe, expect, test, vi } from 'vitest';
import { FETCH_MS, storiesFile } from '../support/models/weights.ts';
import { branch, coloured, reads, setUpLooms, shelf, shots, shown, text } from './page-loom-support.ts';
import { gone, see } from './page-support.ts';

vi.setConfig({ testTimeout: 60_000 });
const looms = setUpLooms();
const { pages } = looms;
beforeAll(async () => {
  await storiesFile();
}, FETCH_MS);

const THREE = [' The first way.', ' The second way.', ' The third way.'];
const words = (start: string) => Array.from({ length: 50 }, (_, i) => ` ${start}${i}`).join('');

describe('[I15] the loom', () => {
  test('[W9] [W16] [W22] begun on the page with the small model: a sentence, three continuations, the wheel', async () => {
    const page = await pages.open('/');
    await page.getByRole('button', { name: 'New', exact: true }).click();
    await page.getByLabel('Title').fill('A castle');
    await page.getByLabel('a loom').check();
    await page.getByRole('button', { name: 'Begin', exact: true }).click();
    await see(text(page));
    const sentence = 'Once upon a time, there was a castle on a hill.';
    await page.keyboard.type(sentence);
    await reads(page, sentence);
    await page.getByRole('button', { name: 'Models: small' }).click();
    await see(page.getByRole('menu').getByText('A small model'));
    await page.keyboard.press('Escape');
    await text(page).click();
    await page.keyboard.press('Control+Space');
    await see(branch(page, '1 of 3'));
    await gone(page.getByRole('button', { name: 'Stop' }));
    const first = await shown(page);
    expect(first.startsWith(sentence)).toBe(true);
    expect(await coloured(page)).toBe(first.slice(sentence.length).replaceAll('\n', ''));
    await page.keyboard.press('Alt+ArrowDown');
    await see(branch(page, '2 of 3'));
    await see(page.getByRole('listbox', { name: 'Continuations' }));
    expect(await shown(page)).not.toBe(first);
    await page.keyboard.press('Alt+ArrowUp');
    await reads(page, first);
    await shots(page, 'loom');
  });

  test('[W3] [W6] [W15] an earlier sentence is edited: what follows stays, is marked, and colours say who wrote what', async () => {
    looms.script({ answers: [{ choices: THREE, repeat: 'always' }] });
    const page = await looms.open(await looms.newLoom('Edits', 'It rained.'));
    await page.keyboard.press('Control+Space');
    await reads(page, 'It rained. The first way.');
    await page.keyboard.press('Control+End');
    await page.keyboard.type(' Mine.');
    await page.keyboard.press('Control+Space');
    await reads(page, 'It rained. The first way. Mine. The first way.');
    // Within the first model's text, with the keyboard alone.
    await page.keyboard.press('Control+Home');
    for (let i = 0; i < 'It rained. The '.length; i++) await page.keyboard.press('ArrowRight');
    await page.keyboard.type('very ');
    await reads(page, 'It rained. The very first way. Mine. The first way.');
    expect(await coloured(page)).toBe(' The first way. The first way.');
    await page.keyboard.press('Control+s');
    await see(page.getByRole('button', { name: 'Version 2 of 2.' }));
    await see(page.getByRole('button', { name: 'Written against an earlier version' }));
    expect(await coloured(page)).toBe(' The first way. The first way.');
    await page.keyboard.press('Alt+Shift+ArrowUp');
    await reads(page, 'It rained. The first way. Mine. The first way.');
    await see(page.getByRole('button', { name: 'Version 1 of 2.' }));
    await shots(page, 'loom-edited');
  });

  test('[W14] undo takes back typing, then commits and switches, one key for all; redo brings them again', async () => {
    looms.script({ answers: [{ choices: THREE, repeat: 'always' }] });
    const page = await looms.open(await looms.newLoom('Undo', 'One.'));
    await page.keyboard.press('Control+Space');
    await reads(page, 'One. The first way.');
    await page.keyboard.press('Alt+ArrowDown');
    await reads(page, 'One. The second way.');
    await page.keyboard.press('Control+End');
    // At once: what is typed with a pause in it is taken back in parts.
    await page.keyboard.insertText(' Two.');
    await page.keyboard.press('Control+z');
    await reads(page, 'One. The second way.');
    await page.keyboard.press('Control+z');
    await reads(page, 'One. The first way.');
    await page.keyboard.press('Control+Shift+Z');
    await reads(page, 'One. The second way.');
  });

  test('[W9] text that was never committed is back after a reload in the middle of typing, and in another browser', async () => {
    const id = await looms.newLoom('Unsaved', 'Begun.');
    const page = await looms.open(id);
    await page.keyboard.type(' Not yet sa');
    await page.reload();
    await reads(page, 'Begun. Not yet sa');
    await page.keyboard.type('ved');
    await page.keyboard.press('Control+Home');
    await page.keyboard.type('Well ');
    await reads(page, 'Well Begun. Not yet saved');
    await expect
      .poll(async () => JSON.stringify((await pages.human().thread(id).events()).events))
      .toContain(' Not yet saved');
    await expect
      .poll(async () => (await pages.human().thread(id).loom.scratch()).scratch?.edits[0]?.current)
      .toMatch(/^Well /);
    await page.context().close();
    const elsewhere = await looms.open(id);
    await reads(elsewhere, 'Well Begun. Not yet saved');
    const { events } = await pages.human().thread(id).events();
    expect(JSON.stringify(events)).not.toContain('Well');
  });

  test("[W9] two tabs of one loom have each their own uncommitted text, and a switch in one does not move the other's", async () => {
    const id = await looms.newLoom('Two tabs', 'One.');
    const a = await looms.open(id);
    const b = await a.context().newPage();
    await b.goto(a.url());
    await see(text(b));
    await a.keyboard.type(' By a.');
    await expect.poll(async () => (await pages.human().thread(id).loom.scratch()).scratch?.buffer).toBe(' By a.');
    await text(b).click();
    await b.keyboard.press('Control+End');
    await b.keyboard.type(' By b.');
    await reads(b, 'One. By b.');
    await Promise.all([a.reload(), b.reload()]);
    await reads(a, 'One. By a.');
    await reads(b, 'One. By b.');
    const { path } = await pages.human().thread(id).loom.path();
    await text(a).click();
    await a.keyboard.press('Control+s');
    await reads(b, 'One. By a. By b.');
    await pages.human().thread(id).command('commit', { text: ' Elsewhere.', after: path[0]!.node });
    await reads(a, 'One. Elsewhere.');
    await reads(b, 'One. Elsewhere.');
    const kept = b.getByRole('blockquote').getByText('By b.');
    await see(kept);
    await b.reload();
    await reads(b, 'One. Elsewhere.');
    await see(kept);
    await b.getByRole('button', { name: 'Go to its node' }).click();
    await reads(b, 'One. By a.');
  });

  test('[W9] text that the server does not have yet is marked, until it has it', async () => {
    const page = await looms.open(await looms.newLoom('Marked', 'Begun.'));
    const mark = page.getByText('not saved yet');
    await page.route('**/scratch', (route) => route.abort());
    await page.keyboard.type(' More.');
    await see(mark);
    await page.reload();
    await reads(page, 'Begun. More.');
    await see(mark);
    await page.unroute('**/scratch');
    await page.keyboard.type(' And more.');
    await gone(mark);
  });

  test('[W9] text that the server keeps is not lost when it cannot be read at once', async () => {
    const id = await looms.newLoom('Read late', 'Begun.');
    const page = await looms.open(id);
    await page.keyboard.type(' Precious.');
    const kept = async () => (await pages.human().thread(id).loom.scratch()).scratch?.buffer;
    await expect.poll(kept).toBe(' Precious.');
    let failures = 0;
    await page.route('**/scratch', (route) => (failures++ === 0 ? route.abort() : route.continue()));
    await page.reload();
    await reads(page, 'Begun. Precious.');
    expect(failures).toBeGreaterThan(1);
  });

  test('[W16] [W22] three siblings grow at once; another can be shown meanwhile, and stopping keeps what came', async () => {
    // Ten seconds, so that also on a slow machine it is stopped before its end.
    looms.script({ answers: [{ choices: [words('a'), words('b'), words('c')], pace: 200 }] });
    const id = await looms.newLoom('Streams', 'Start.');
    const page = await looms.open(id);
    await page.keyboard.press('Control+Space');
    await see(shelf(page).nth(2).getByText('c3'));
    await expect.poll(() => shown(page)).toContain('Start. a0 a1 a2');
    await page.keyboard.press('Alt+ArrowDown');
    await expect.poll(() => shown(page)).toContain('Start. b0 b1 b2');
    await shots(page, 'loom-growing');
    await page.keyboard.press('Control+End');
    await page.keyboard.type('!');
    await page.getByRole('button', { name: 'Stop' }).click();
    await gone(page.getByRole('button', { name: 'Stop' }));
    await see(branch(page, '2 of 3'));
    expect(await shown(page)).toMatch(/^Start\. b0 b1 b2.*!$/);
    expect(await shown(page)).not.toContain('b49');
  });

  test('[W16] a stop that is answered later than the text ends is shown all the same', async () => {
    looms.script({ answers: [{ choices: [words('a'), words('b'), words('c')], pace: 200 }] });
    const id = await looms.newLoom('Late answer', 'Start.');
    const page = await looms.open(id);
    await page.route('**/stop', async (route) => {
      const answer = await route.fetch();
      await gone(page.getByText('Writing').first());
      await route.fulfill({ response: answer });
    });
    await page.keyboard.press('Control+Space');
    await see(shelf(page).nth(2).getByText('c0'));
    await page.keyboard.press('Alt+ArrowDown');
    await expect.poll(() => shown(page)).toContain('Start. b0');
    await page.getByRole('button', { name: 'Stop' }).click();
    await expect
      .poll(async () => (await pages.human().thread(id).events()).events.map(({ type }) => type))
      .toContain('loom.switched');
    await see(branch(page, '2 of 3'));
  });

  test('[W16] a generation that brings less than I asked for says so, and not again when I come back', async () => {
    looms.script({ answers: [{ text: 'one two three', fault: 'cut', after: 2 }] });
    const page = await looms.open(await looms.newLoom('Cut short', 'Here. '));
    await page.keyboard.press('Control+Space');
    const alert = page.getByRole('alert').getByText('2 of 3 arrived.');
    await see(alert);
    await see(page.getByRole('button', { name: 'Try again' }));
    await page.reload();
    await expect.poll(() => shown(page)).toContain('Here. one');
    expect(await alert.count()).toBe(0);
  });

  test('[W16] a generation that fails loses no text and is told in a sentence', async () => {
    looms.script({ answers: [{ fault: 'server_error', message: 'Out of order.', status: 400, repeat: 'always' }] });
    const page = await looms.open(await looms.newLoom('Failing', 'Here.'));
    await page.keyboard.type(' More.');
    await page.keyboard.press('Control+Space');
    await see(page.getByRole('alert').getByText('Your text was not changed.'));
    expect(await shown(page)).toBe('Here. More.');
    await shots(page, 'loom-failing');
  });
});
