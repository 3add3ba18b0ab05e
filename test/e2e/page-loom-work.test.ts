import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { branch, openSettings, reads, setUpLooms, shots, shown, text } from './page-loom-support.ts';
import { gone, see } from './page-support.ts';

vi.setConfig({ testTimeout: 60_000 });
const looms = setUpLooms();
const { pages } = looms;
const THREE = [' The first way.', ' The second way.', ' The third way.'];

describe('[I15] work in a loom', () => {
  test('[W17] in the view of probabilities the mouse on a word shows how likely it was; another word begins a branch', async () => {
    looms.script({
      answers: [
        {
          tokens: [
            { text: ' red', logprob: -0.5, alternatives: { ' blue': -1, ' green': -2 } },
            { text: ' house', logprob: -0.1, alternatives: { ' boat': -3 } },
          ],
          repeat: 'always',
        },
      ],
    });
    const page = await looms.open(await looms.newLoom('Likely', 'A'));
    await page.keyboard.press('Control+Space');
    await reads(page, 'A red house');
    await page.keyboard.press('Control+End');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('Alt+w');
    const who = page.getByRole('dialog', { name: 'Who wrote this' });
    await see(who.getByText('90%'));
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Probabilities' }).click();
    await text(page).locator('.tok').getByText('red').hover();
    await see(who.getByText('61%'));
    await see(who.getByText('chose the most likely word'));
    await shots(page, 'loom-likely');
    await text(page).locator('.tok').getByText('red').hover();
    await who.getByRole('radio', { name: 'blue' }).click();
    await who.getByRole('button', { name: 'Branch here' }).click();
    await reads(page, 'A blue');
    await see(page.getByRole('button', { name: /Branch \d of \d/ }));
  });

  test('[W20] [W22] split, merge, bookmark, tag, find and go, prune and bring back', async () => {
    looms.script({ answers: [{ choices: THREE, repeat: 'always' }] });
    const id = await looms.newLoom('Shape', 'Left right.');
    const page = await looms.open(id);
    await page.keyboard.press('Control+Home');
    for (let i = 0; i < 'Left'.length; i++) await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Alt+s');
    await see(branch(page, '2 of 2'));
    await reads(page, 'Left right.');
    await page.keyboard.press('Control+Space');
    await reads(page, 'Left right. The first way.');
    await gone(page.getByRole('button', { name: 'Stop' }));
    await page.keyboard.press('Alt+ArrowRight');
    await page.keyboard.press('Alt+b');
    await see(page.getByRole('button', { name: 'Bookmark: ' }));
    await page.getByRole('tab', { name: 'Node' }).click();
    await page.getByLabel('New tag').fill('ending');
    await page.getByLabel('New tag').press('Enter');
    await see(page.getByRole('button', { name: 'Remove ending' }));
    await shots(page, 'loom-node');
    await text(page).click();
    await page.keyboard.press('Control+f');
    await page.getByLabel('Find in this loom').fill('third');
    await page.getByRole('button', { name: 'In the whole tree' }).click();
    await page.getByRole('button', { name: /third way.*another branch/ }).click();
    await reads(page, 'Left right. The third way.');
    await page.keyboard.press('Alt+Delete');
    await reads(page, 'Left right.');
    await page.keyboard.press('Control+z');
    await reads(page, 'Left right. The third way.');
  });

  test('[W22] siblings side by side, with what differs; a part of one is taken over', async () => {
    looms.script({ answers: [{ choices: [' A cold, dark night.', ' A cold, bright morning.'], repeat: 'always' }] });
    const id = await looms.newLoom('Sides', 'It was:');
    const page = await looms.open(id);
    await page.keyboard.press('Control+Space');
    await reads(page, 'It was: A cold, dark night.');
    await gone(page.getByRole('button', { name: 'Stop' }));
    await page.keyboard.press('Alt+d');
    const sheet = page.getByRole('dialog', { name: 'Side by side' });
    await see(sheet.locator('ins').getByText('bright'));
    await shots(page, 'loom-sides');
    await sheet.locator('ins').getByText('bright').dblclick();
    await sheet.getByRole('button', { name: 'Copy the selection' }).click();
    await expect.poll(() => shown(page)).toContain('dark night.morning');
    const { events } = await pages.human().thread(id).events();
    expect(JSON.stringify(events.at(-1)?.content)).toContain('"source"');
  });

  test('[W23] [I15] the map fills the screen, and its card leads to a node', async () => {
    looms.script({ answers: [{ choices: THREE, repeat: 'always' }] });
    const page = await looms.open(await looms.newLoom('Tree', 'Root.'));
    await page.keyboard.press('Control+Space');
    await reads(page, 'Root. The first way.');
    await page.getByRole('button', { name: 'Map', exact: true }).click();
    const map = page.getByRole('dialog', { name: 'Map' });
    const tree = map.getByRole('application', { name: 'Tree of 4 nodes' });
    await see(tree);
    const box = (await map.boundingBox())!;
    expect([box.x, box.y, box.width, box.height]).toEqual([0, 0, 1280, 800]);
    const card = map.getByRole('region', { name: 'Selected node' });
    await see(card.getByText('You are here'));
    await shots(page, 'loom-map');
    await tree.focus();
    await page.keyboard.press('ArrowDown');
    await see(card.getByText('The second way.'));
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await reads(page, 'Root. The third way.');
    await gone(map);
    // By mouse: the middle one of the three, a lane below the middle of the screen less one.
    await page.getByRole('button', { name: 'Map', exact: true }).click();
    await see(card.getByText('The third way.'));
    const size = (await tree.boundingBox())!;
    await tree.click({ position: { x: size.width / 2, y: size.height / 2 } });
    await see(card.getByText('The second way.'));
    await card.getByRole('button', { name: 'Continue here' }).click();
    await reads(page, 'Root. The second way.');
  });

  test('[W24] keys as in another loom, and one of one’s own', async () => {
    looms.script({ answers: [{ choices: THREE, repeat: 'always' }] });
    const page = await looms.open(await looms.newLoom('Keys', 'Go.'));
    await openSettings(page, 'Keys');
    await shots(page, 'loom-settings');
    await page.getByRole('combobox', { name: 'Key preset' }).click();
    await page.getByRole('option', { name: 'Python loom' }).click();
    await page.keyboard.press('Escape');
    await text(page).click();
    await page.keyboard.press('Alt+g');
    await reads(page, 'Go. The first way.');
    await page.keyboard.press('Alt+j');
    await reads(page, 'Go. The second way.');
    await openSettings(page, 'Keys');
    await page.getByLabel('Next branch').press('F6');
    await page.keyboard.press('Escape');
    await text(page).click();
    await page.keyboard.press('F6');
    await reads(page, 'Go. The third way.');
    await page.reload();
    await see(text(page));
    await page.keyboard.press('F6');
    await reads(page, 'Go. The first way.');
  });

  test('[W5] [W25] two people: each sees the other’s caret and nodes; an edit is offered, not applied', async () => {
    const id = await looms.newLoom('Two', 'The same sentence.');
    const one = await looms.open(id);
    const two = await looms.openAs('ada', id);
    await see(one.getByText('with ada'));
    await two.keyboard.press('Control+Home');
    await see(text(one).locator('.far[data-name=ada]'));
    await two.keyboard.type('Not ');
    await two.keyboard.press('Control+s');
    await see(one.getByRole('button', { name: 'ada edited this' }));
    expect(await shown(one)).not.toContain('Not ');
    await one.keyboard.press('Control+End');
    await one.keyboard.type(' And mine.');
    await shots(one, 'loom-two');
    await one.getByRole('button', { name: 'ada edited this' }).click();
    await expect.poll(() => shown(one)).toContain('Not The same sentence. And mine.');
  });

  test('[W26] a dropped file of another program becomes a loom, what was left out is told, and a file comes out again', async () => {
    const page = await looms.open(await looms.newLoom('Files', 'Here.'));
    await openSettings(page, 'Import and export');
    const chosen = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Import a loom or a text' }).click();
    await (await chosen).setFiles(join(import.meta.dirname, '../recordings/looms/miniloom.json'));
    await see(page.getByRole('status').getByText('was imported'));
    expect(page.url()).toContain('/loom/');
    await shots(page, 'loom-brought');
    await openSettings(page, 'Import and export');
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Plain text' }).click(),
    ]);
    await page.keyboard.press('Escape');
    await see(text(page));
    expect(readFileSync(await file.path(), 'utf8').trim()).toBe((await shown(page)).trim());
  });

  test('[W8] right-to-left text, emoji and long words fit; nothing at all is said', async () => {
    const page = await looms.open(await looms.newLoom('A title '.repeat(20).trim(), ''));
    await see(page.getByText('Write the first sentence.'));
    await shots(page, 'loom-empty');
    const mixed = `שלום עולם 👩‍👩‍👧 ${'x'.repeat(200)}`;
    await page.keyboard.insertText(mixed);
    await reads(page, mixed);
    await shots(page, 'loom-mixed');
    await page.keyboard.press('Backspace');
    await reads(page, mixed.slice(0, -1));
  });
});
