import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { expect, onTestFinished, test, vi } from 'vitest';
import { sniffFile } from '../../src/engine/attachments/sniff.ts';
import { startFakeModels } from '../support/models/fake-models.ts';
import { noisyPng, pngOf } from '../support/texts/files.ts';
import { giveModels } from './page-models-support.ts';
import { gone, noSeriousFindings, row, see, setUpPages, write } from './page-support.ts';

vi.setConfig({ testTimeout: 60_000 });
const pages = setUpPages();

interface ChosenFile {
  readonly name: string;
  readonly mimeType: string;
  readonly buffer: Buffer;
}

async function choosePicture(page: Page, button: Locator, file: ChosenFile): Promise<void> {
  const chooser = page.waitForEvent('filechooser');
  await button.click();
  await (await chooser).setFiles(file);
}

const png = (name: string, buffer: Buffer): ChosenFile => ({ name, mimeType: 'image/png', buffer });

/** Whose picture the server has, and its bytes. */
async function ownPicture() {
  const { picture } = (await pages.human().people()).people.human ?? {};
  return picture === undefined ? undefined : Buffer.from(await pages.human().blobs.bytes(picture));
}

test('[I16] [T37] the first run is left with Enter, without a name', async () => {
  const page = await pages.open();
  await see(page.getByRole('heading', { name: 'What should we call you?' }));
  await noSeriousFindings(page, 'the first run');
  await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('name');
  await page.keyboard.press('Enter');
  await see(page.getByRole('heading', { name: 'Inbox', level: 1 }));
  await see(page.getByRole('main').getByRole('button', { name: 'Begin a thread' }));
  await page.reload();
  await see(page.getByRole('heading', { name: 'Inbox', level: 1 }));
  expect((await pages.human().people()).people.human?.name).toBe('human');
});

test('[I16] [T37] a name and a picture given on the first run stand beside what I write, in every room', async () => {
  const page = await pages.open();
  const you = page.getByRole('region', { name: 'What should we call you?' });
  await you.getByLabel('Your name').fill('Maya Okafor');
  await see(you.getByText('MO', { exact: true }));
  await choosePicture(page, you.getByRole('button', { name: 'Add a picture' }), png('me.png', pngOf(300, 200)));
  const face = (place: Locator) => place.locator('img[src^="/api/blobs/"]');
  await see(face(you));
  await page.getByRole('button', { name: 'Begin a thread' }).click();
  await write(page, 'Hello from me');
  const message = row(page, 'Hello from me');
  await see(message.getByText('Maya Okafor'));
  await see(face(message));
  const foot = page.getByRole('navigation').filter({ hasText: 'today' });
  await see(foot.getByText('Maya Okafor'));
  await see(face(foot));
  const { thread } = await pages.human().threads.create({ title: 'Why salt?', kind: 'dialogue' });
  await pages.human().thread(thread.id).command('message', { text: 'Why is the sea salt?' });
  await page.goto(`${pages.server.url}/dialogue/${thread.id}`);
  await see(page.getByRole('main').getByText('Maya Okafor'));
  await see(face(page.getByRole('main')));
  await page.goto(`${pages.server.url}/all`);
  await see(face(page.getByRole('main').getByRole('link', { name: /Why salt/ })));
});

test('[T37] a 12 MB photo becomes a small square picture', async () => {
  const photo = noisyPng(2400, 1700);
  expect(photo.length).toBeGreaterThan(12_000_000);
  const page = await pages.open('/settings#profile');
  const you = page.getByRole('region', { name: 'You', exact: true });
  const before = await ownPicture();
  await choosePicture(page, you.getByRole('button', { name: /the picture|a picture/ }).first(), png('big.png', photo));
  await expect.poll(async () => before?.equals((await ownPicture()) ?? Buffer.alloc(0))).toBe(false);
  const bytes = (await ownPicture()) as Buffer;
  expect(bytes.length).toBeLessThan(200_000);
  expect(sniffFile(bytes)).toEqual({ type: 'image/webp', width: 256, height: 256 });
});

test('[T37] a file that is no picture is refused in a sentence', async () => {
  const page = await pages.open('/settings#profile');
  const you = page.getByRole('region', { name: 'You', exact: true });
  const before = await ownPicture();
  const notes = { name: 'notes.png', mimeType: 'image/png', buffer: Buffer.from('only words') };
  await choosePicture(page, you.getByRole('button', { name: 'Change the picture' }), notes);
  await see(
    you.getByRole('alert').getByText('“notes.png” is not a picture. Choose a PNG, JPEG, GIF, WebP or AVIF file.'),
  );
  expect(await ownPicture()).toEqual(before);
});

test('[T37] name and picture are changed and removed in the settings, and seen at once in another tab', async () => {
  await pages.agent('ada');
  const page = await pages.open('/settings#profile');
  const other = await pages.open('/all');
  const you = page.getByRole('region', { name: 'You', exact: true });
  await you.getByRole('textbox', { name: 'Name' }).fill('Ada');
  await you.getByRole('button', { name: 'Save' }).click();
  await see(you.getByRole('alert').getByText('"Ada" is already the name of ada. Choose another name.'));
  await you.getByRole('textbox', { name: 'Name' }).fill('Maya');
  await you.getByRole('button', { name: 'Save' }).click();
  await see(you.getByRole('status').getByText('Saved.'));
  await see(other.getByRole('navigation').getByText('Maya', { exact: true }));
  await noSeriousFindings(page, 'the settings');
  await you.getByRole('button', { name: 'Remove the picture' }).click();
  await gone(you.locator('img'));
  await gone(other.getByRole('navigation').locator('img[src^="/api/blobs/"]'));
  await you.getByRole('textbox', { name: 'Name' }).fill('');
  await you.getByRole('button', { name: 'Save' }).click();
  await see(other.getByRole('navigation').getByText('human', { exact: true }));
});

test('[T38] a persona made in the invite dialog answers in another thread with its instructions', async () => {
  const fake = await startFakeModels();
  onTestFinished(fake.close);
  // It is asked when it is invited, too, and then has nothing to say.
  fake.answer(({ body }) => ({
    text: JSON.stringify(body.messages).includes('June') ? 'Basil, under glass.' : 'PASS',
  }));
  const wren = { provider: 'openai-chat', base_url: fake.openAiUrl, model: 'wren-1' };
  giveModels(pages.server.workspace, {}, { others: { wren } });
  const human = pages.human();
  const [{ thread: first }, { thread: second }] = [
    await human.threads.create({ title: 'Bed one' }),
    await human.threads.create({ title: 'Bed two' }),
  ];
  const page = await pages.open(`/threads/${first.id}`);
  await page.getByRole('button', { name: 'Choose agents' }).click();
  const dialog = page.getByRole('dialog', { name: 'Invite' });
  await dialog.getByRole('button', { name: 'New persona…' }).click();
  const making = page.getByRole('dialog', { name: 'New persona' });
  await making.getByLabel('Name').fill('Iris');
  await making.getByLabel('Instructions').fill('You are a gardener. Name one plant.');
  await making.getByRole('combobox', { name: 'Model' }).click();
  await page.getByRole('option', { name: 'wren' }).click();
  await making.getByRole('button', { name: 'Add persona' }).click();
  await see(dialog.getByLabel('Iris'));
  expect(await dialog.getByLabel('Iris').isChecked()).toBe(true);
  await noSeriousFindings(page, 'the invitation of a persona');
  await dialog.getByRole('button', { name: 'Invite', exact: true }).click();
  await gone(dialog);
  await see(page.getByRole('complementary').getByText('Iris', { exact: true }));

  // In another thread, from the palette.
  await page.goto(`${pages.server.url}/threads/${second.id}`);
  await see(page.getByLabel('Your message'));
  await page.keyboard.press('Control+k');
  await see(page.getByRole('dialog', { name: 'Search or run a command' }));
  await page.keyboard.type('invite iris');
  await page.getByRole('option', { name: /^Invite Iris/ }).click();
  await write(page, '@Iris what grows in June?');
  const answer = row(page, 'Basil, under glass.');
  await see(answer.getByText('Iris', { exact: true }));
  const sent = JSON.stringify(fake.requests.at(-1)?.body.messages);
  expect(sent).toContain('You are a gardener. Name one plant.');
  expect(sent).toContain('what grows in June?');
});

test('[T38] personas are made, changed and removed in the settings, and a removed one comes back', async () => {
  const page = await pages.open('/settings#personas');
  const section = page.getByRole('region', { name: 'Personas' });
  await section.getByRole('button', { name: 'New persona' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('The critic');
  await dialog.getByLabel('Instructions').fill('Name the weakest point first.');
  await dialog.getByRole('button', { name: 'Add persona' }).click();
  await gone(dialog);
  await section.getByRole('button', { name: 'Edit The critic' }).click();
  await dialog.getByLabel('Name').fill('The judge');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await gone(dialog);
  await see(section.getByText('The judge'));
  const { personas } = await pages.human().personas.list();
  expect(personas.find(({ id }) => id === 'the-critic')).toMatchObject({
    name: 'The judge',
    instructions: 'Name the weakest point first.',
  });
  await section.getByRole('button', { name: 'Remove The judge' }).click();
  await gone(section.getByText('The judge'));
  await page.getByRole('button', { name: 'Undo' }).click();
  await see(section.getByText('The judge'));
});

test('[T37] a mind is called by its model, with one face in the inbox, the list and the dialogue', async () => {
  giveModels(pages.server.workspace, { wren: ['{"thoughts": [], "draft": "The sun warms the salt."}'] });
  const human = pages.human();
  const { thread } = await human.threads.create({ title: 'Salt again', kind: 'dialogue', setup: { model: 'wren' } });
  await human.thread(thread.id).command('message', { text: 'Why?', run: { iterations: 1 } });
  const page = await pages.open();
  const card = page.getByRole('article', { name: /^wren .* draft 1/ });
  await see(card.getByText('wren', { exact: true }));
  const hueIn = (place: Locator) => place.locator('[class*=model][data-hue]').first().getAttribute('data-hue');
  const hue = await hueIn(card);
  await page.goto(`${pages.server.url}/dialogues`);
  const item = page.getByRole('main').getByRole('link', { name: /Salt again/ });
  await see(item);
  expect(await hueIn(item)).toBe(hue);
  await item.click();
  await see(page.getByText('With wren'));
  expect(await hueIn(page.getByRole('main'))).toBe(hue);
  expect(await page.getByRole('main').innerText()).not.toContain('mind_0');
});

test('[C5] money is shown in the currency of heddle.yaml, which the settings change', async () => {
  const fake = await startFakeModels();
  onTestFinished(fake.close);
  fake.answer(() => ({ text: 'A loom weaves cloth.' }));
  const path = join(pages.server.workspace, 'heddle.yaml');
  const model = `{provider: openai-chat, base_url: "${fake.openAiUrl}", model: c, price: {input: 100, output: 200}}`;
  writeFileSync(path, `# mine\nperson: {id: human}\nmodels:\n  chat: ${model}\ncurrency: EUR\n`);
  await pages.human().models.test('chat', { n: 1 });
  const page = await pages.open('/settings#budget');
  const budget = page.getByRole('region', { name: 'Budget and usage' });
  await see(budget.getByRole('row', { name: /^chat .*€0\.\d+/ }));
  await see(page.getByRole('navigation').getByText(/^€0\.\d+ today$/));
  await see(budget.getByLabel('Limit in €'));
  await budget.getByRole('combobox', { name: 'Currency' }).click();
  await page.getByRole('option', { name: /^CHF/ }).click();
  await see(budget.getByRole('row', { name: /^chat .*CHF.0\.\d+/ }));
  await see(page.getByRole('navigation').getByText(/^CHF.0\.\d+ today$/));
  expect(readFileSync(path, 'utf8')).toBe(`# mine\nperson: {id: human}\nmodels:\n  chat: ${model}\ncurrency: CHF\n`);
});
