import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { type FakeModels, startFakeModels } from '../support/models/fake-models.ts';
import { FETCH_MS, storiesFile } from '../support/models/weights.ts';
import { sound } from './page-states-support.ts';
import { gone, see, setUpPages } from './page-support.ts';

vi.setConfig({ testTimeout: 60_000 });
const KEY = 'sk-0123456789-of-this-test';
const TYPED = 'sk-9876543210-typed-in';
vi.stubEnv('HEDDLE_PAGE_TEST_KEY', KEY);
// Keys that are typed in are kept beside these, and not among those of whoever runs the tests.
const personal = mkdtempSync(join(tmpdir(), 'heddle-personal-'));
vi.stubEnv('HEDDLE_CONFIG', join(personal, 'heddle.yaml'));
const pages = setUpPages();
let fake: FakeModels;

beforeAll(async () => {
  await storiesFile();
  fake = await startFakeModels();
}, FETCH_MS);
afterAll(() => {
  vi.unstubAllEnvs();
  rmSync(personal, { recursive: true, force: true });
  return fake.close();
});

function settings(): string {
  return join(pages.server.workspace, 'heddle.yaml');
}

function entry(page: Page, name: string) {
  return page.getByRole('list', { name: 'Your models' }).locator('> li').filter({ hasText: name });
}

function missing(name: string, variable: string): string {
  return `Its key is missing. Type it in: \`heddle models key ${name}\`, or set the environment variable ${variable} before you start Heddle.`;
}

describe('[M1] the models in the settings', () => {
  test('[M1] [M3] the small one writes three texts at the touch of a button, each token with its probability', async () => {
    const page = await pages.open('/settings');
    const small = entry(page, 'small');
    await see(small.getByText('Default for dialogues, audits, looms'));
    await small.getByRole('button', { name: /^Try / }).click();
    await see(small.getByRole('status').getByText('tokens in'));
    expect(await small.locator('ol > li').count()).toBe(3);
    expect(await small.locator('[data-token] small').count()).toBe(120);
    await see(page.getByRole('table').getByRole('row', { name: /^small 1 131/ }));
    const alike = await shots(page, 'models');
    expect(alike).toBe(true);
  });

  test('[M1] what is missing is said, a failure is a sentence, and no key is anywhere on the page', async () => {
    writeFileSync(
      settings(),
      `models:\n  chat: {provider: openai-chat, base_url: "${fake.openAiUrl}", model: some-chat, api_key_env: HEDDLE_PAGE_TEST_KEY, price: {input: 1, output: 2}}\n  far: {provider: anthropic, model: m, api_key_env: NOT_SET_HERE}\n`,
    );
    fake.answer(() => ({ fault: 'server_error', message: `Out of order, ${KEY}.`, status: 400 }));
    const page = await pages.open('/settings');
    await see(entry(page, 'far').getByText(missing('far', 'NOT_SET_HERE')));
    await entry(page, 'chat').getByRole('button', { name: /^Try / }).click();
    await see(entry(page, 'chat').getByRole('alert').getByText('Out of order, [removed].'));
    expect(await page.content()).not.toContain('sk-0123');
    fake.answer(() => ({ text: 'A loom weaves cloth.' }));
    await entry(page, 'chat').getByRole('button', { name: /^Try / }).click();
    await see(entry(page, 'chat').getByText('A loom weaves cloth.'));
    await see(entry(page, 'chat').getByText(/\$0\./));
    await shots(page, 'models-failing');
  });

  test('[M14] one of three texts is refused: the two that came stay on the page, beside the reason', async () => {
    writeFileSync(
      settings(),
      `models:\n  chat: {provider: openai-chat, base_url: "${fake.openAiUrl}", model: some-chat, n: 1}\n`,
    );
    const refused = { fault: 'server_error', status: 402, message: 'No more of this today.' } as const;
    fake.script({ text: 'A loom weaves cloth.' }, refused, { text: 'A loom holds threads.' });
    const page = await pages.open('/settings');
    const chat = entry(page, 'chat');
    await chat.getByRole('button', { name: /^Try / }).click();
    await see(chat.getByText('No more of this today.'));
    await see(chat.getByText('A loom weaves cloth.'));
    await see(chat.getByText('A loom holds threads.'));
    await page.close();
  });

  test('[M14] a key that is typed in is sent to its server, and is on no page and not in heddle.yaml', async () => {
    writeFileSync(settings(), '');
    onTestFinished(async () => void (await pages.human().models.setKey('typed', '')));
    fake.answer(() => ({ text: 'A loom weaves cloth.' }));
    const page = await pages.open('/settings#add-model');
    const form = page.getByRole('form', { name: 'Add a model' });
    await form.getByLabel('Address').fill(fake.openAiUrl);
    await form.getByLabel('Model ID').fill('some-chat');
    await form.getByLabel('Display name').fill('typed');
    const key = form.getByLabel('API key');
    expect(await key.getAttribute('type')).toBe('password');
    // Nothing is added with half of what was filled in.
    await key.fill('two words');
    await key.press('Enter');
    await see(form.locator('input:invalid'));
    expect(readFileSync(settings(), 'utf8')).toBe('');
    await key.fill(` ${TYPED} `);
    await key.press('Enter');
    await see(entry(page, 'typed').getByText('key in HEDDLE_KEY_TYPED'));
    await see(entry(page, 'typed').getByText('Not tried yet'));
    await entry(page, 'typed').getByRole('button', { name: /^Try / }).click();
    await see(entry(page, 'typed').getByText('A loom weaves cloth.'));
    expect(fake.requests.at(-1)?.headers.authorization).toBe(`Bearer ${TYPED}`);
    await see(entry(page, 'typed').getByText(/answered just now in \d/));
    await entry(page, 'typed').getByRole('button', { name: 'More for typed' }).click();
    await page.getByRole('menuitem', { name: 'Change…' }).click();
    const again = page.getByRole('form', { name: 'Change typed' }).getByLabel('API key');
    expect(await again.inputValue()).toBe('');
    expect(await again.getAttribute('placeholder')).toBe('Unchanged');
    expect((await page.content()) + readFileSync(settings(), 'utf8')).not.toContain(TYPED);
  });

  test('[M14] I choose a model from the list of its server, and am told why there is no list', async () => {
    writeFileSync(settings(), '');
    fake.offers.splice(0, fake.offers.length, 'tiny', 'large-2');
    onTestFinished(() => void fake.offers.splice(0));
    const page = await pages.open('/settings');
    await page.getByRole('button', { name: 'Other OpenAI-compatible' }).click();
    const form = page.getByRole('form', { name: 'Add a model' });
    await form.getByLabel('Address').fill('http://127.0.0.1:9/v1');
    await form.getByRole('button', { name: 'List models' }).click();
    await see(form.getByText('Nothing answers at 127.0.0.1:9. Check the address, and that the server is running.'));
    await form.getByLabel('Address').fill(fake.openAiUrl);
    await form.getByRole('button', { name: 'List models' }).click();
    await see(form.getByText('2 models on this server.'));
    await form.getByLabel('Model ID').focus();
    await page.keyboard.type('lar');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    expect(await form.getByLabel('Model ID').inputValue()).toBe('large-2');
    await sound(page, 'models-list');
    await form.getByLabel('Model ID').press('Enter');
    await see(page.getByRole('status').getByText('Added “large-2” to heddle.yaml.'));
    expect(readFileSync(settings(), 'utf8')).toContain(`large-2: {provider: openai-chat, base_url: ${fake.openAiUrl}`);
    await see(entry(page, 'large-2').getByText('Not tried yet'));
    fake.answer(() => ({ fault: 'server_error', status: 401, message: 'Who are you?' }));
    await entry(page, 'large-2').getByRole('button', { name: /^Try / }).click();
    await see(entry(page, 'large-2').getByText('Key refused'));
    await page.reload();
    await see(entry(page, 'large-2').getByText(/Who are you\?/));
  });

  test('[M1] a broken heddle.yaml is told where the models stand', async () => {
    writeFileSync(settings(), 'models:\n  chat: {provider: opnai-chat}\n');
    const page = await pages.open('/settings');
    await see(page.getByRole('alert').getByText('Did you mean "openai-chat"?'));
    writeFileSync(settings(), '');
  });

  test('[M7] the budget of the workspace is set on the page, kept in heddle.yaml, and refuses what goes over', async () => {
    writeFileSync(settings(), '# mine\nperson: {id: human}\n');
    const page = await pages.open('/settings');
    const form = page.getByRole('form', { name: 'Budget' });
    await form.getByLabel('Limit in tokens').fill('many');
    await form.getByRole('button', { name: 'Save' }).click();
    await see(form.getByRole('alert').getByText('"tokens" must be a number'));
    await form.getByLabel('Limit in tokens').fill('10');
    await form.getByRole('button', { name: 'Save' }).click();
    await see(form.getByText('Saved in heddle.yaml.'));
    expect(readFileSync(settings(), 'utf8')).toBe('# mine\nperson: {id: human}\nbudgets:\n  workspace: {tokens: 10}\n');
    await entry(page, 'small').getByRole('button', { name: /^Try / }).click();
    await see(entry(page, 'small').getByRole('alert').getByText('The budget of this workspace is used up'));
    await form.getByLabel('Limit in tokens').fill('');
    await form.getByRole('button', { name: 'Save' }).click();
    await see(form.getByText('Saved in heddle.yaml.'));
    await entry(page, 'small').getByRole('button', { name: /^Try / }).click();
    await see(entry(page, 'small').getByRole('status').getByText('tokens in'));
  });
});

describe.each([
  ['1280', { width: 1280, height: 800 }],
  ['360', { width: 360, height: 740 }],
] as const)('[I11] [M1] models in the settings by keys alone, at %s pixels', (width, viewport) => {
  const MINE = '# mine\nperson: {id: human}\nmodels:\n  # plays\n  base: {provider: embedded}\n';

  test('[I11] [M1] [L17] added from the palette, tried, used, changed, removed and put back; a key is nowhere', async () => {
    writeFileSync(settings(), MINE);
    fake.answer(() => ({ text: 'A loom weaves cloth.' }));
    const page = await pages.open('/', { viewport });
    const { keyboard } = page;
    /** Through the menu of the model, by its keys. */
    const fromMenu = async (item: string, key = 'Tab') => {
      const [, name] = await page.evaluate(focusedName);
      if (name !== 'More for chat') await tabTo(page, '', 'More for chat', key);
      await keyboard.press('Enter');
      const line = page.getByRole('menuitem', { name: item });
      await see(line);
      await keyboard.type(item.slice(0, 3));
      await expect.poll(() => line.evaluate((element) => element.matches(':focus'))).toBe(true);
      await keyboard.press('Enter');
    };
    await keyboard.press('Control+k');
    await keyboard.type('Add a model');
    await see(page.locator('[role=option][aria-selected=true]').getByText('Add a model'));
    await keyboard.press('Enter');
    const form = page.getByRole('form', { name: 'Add a model' });
    await expectFocus(page, '', 'Provider');
    await tabTo(page, 'base_url');
    await keyboard.type(fake.openAiUrl);
    await tabTo(page, 'model');
    await keyboard.type('some-chat');
    await tabTo(page, 'name');
    expect(await page.evaluate(focusedPlaceholder)).toBe('some-chat');
    await keyboard.type('chat');
    await tabTo(page, '', 'Advanced');
    await keyboard.press('Enter');
    await tabTo(page, 'api_key_env');
    await keyboard.type(KEY);
    await keyboard.press('Enter');
    await see(form.getByRole('alert').getByText('“Environment variable with the key” looks like a key itself'));
    expect(await page.content()).not.toContain('sk-0123');
    expect(readFileSync(settings(), 'utf8')).toBe(MINE);
    await keyboard.press('Control+a');
    await keyboard.type('HEDDLE_PAGE_TEST_KEY');
    await keyboard.press('Tab');
    await keyboard.type('4 096 tokens');
    await keyboard.press('Enter');
    await see(form.getByRole('alert').getByText('“Context length” must be a number'));
    await keyboard.press('Control+a');
    await keyboard.type('4 096');
    await sound(page, `models-form-refused-${width}`);
    await page.setViewportSize(viewport);
    await keyboard.press('Escape');
    await gone(form);
    // What was filled in is there again.
    await keyboard.press('Control+k');
    await keyboard.type('Add a model');
    await see(page.locator('[role=option][aria-selected=true]').getByText('Add a model'));
    await keyboard.press('Enter');
    await see(form);
    await tabTo(page, 'base_url');
    expect(await page.evaluate(focusedValue)).toBe(fake.openAiUrl);
    await tabTo(page, '', 'Advanced');
    await keyboard.press('Enter');
    await tabTo(page, 'price.input');
    await keyboard.type('1');
    await keyboard.press('Tab');
    await keyboard.type('2');
    await tabTo(page, 'for', '', 'Shift+Tab');
    await keyboard.press('Shift+Tab');
    await keyboard.press('Shift+Tab');
    await keyboard.press('Space');
    await keyboard.press('Enter');
    await see(page.getByRole('status').getByText('Added “chat” to heddle.yaml.'));
    expect(readFileSync(settings(), 'utf8')).toBe(
      `${MINE}  chat: {provider: openai-chat, base_url: ${fake.openAiUrl}, model: some-chat, api_key_env: HEDDLE_PAGE_TEST_KEY, context: 4096, price: {input: 1, output: 2}}\ndefaults:\n  mind: chat\n`,
    );
    const facts = 'Default for dialogues · 4,096 tokens of context · key in HEDDLE_PAGE_TEST_KEY';
    await see(entry(page, 'chat').getByText(facts));
    await see(entry(page, 'chat').getByText('$1 in, $2 out per 1M tokens'));

    await expectFocus(page, '', 'Try chat');
    await keyboard.press('Enter');
    await see(entry(page, 'chat').getByText('A loom weaves cloth.'));
    await sound(page, `models-added-${width}`);
    await page.setViewportSize(viewport);

    await fromMenu('Remove');
    await see(entry(page, 'chat').getByRole('alert').getByText('"chat" is the default for mind. Choose another'));
    await tabTo(page, '', 'Dialogues');
    await keyboard.press('Enter');
    await see(page.getByRole('option', { name: 'base' }));
    await keyboard.press('ArrowUp');
    await keyboard.press('Enter');
    await see(page.getByRole('region', { name: 'Default models' }).getByText('Saved in heddle.yaml.'));
    await see(entry(page, 'base').getByText('Default for dialogues'));

    await fromMenu('Change…', 'Shift+Tab');
    await tabTo(page, '', 'Advanced');
    await keyboard.press('Enter');
    await tabTo(page, 'api_key_env');
    await keyboard.press('Control+a');
    await keyboard.type('NOT_SET_HERE');
    writeFileSync(settings(), readFileSync(settings(), 'utf8').replace('some-chat', 'by-hand'));
    await keyboard.press('Enter');
    await see(entry(page, 'chat').getByText(missing('chat', 'NOT_SET_HERE')));
    await see(entry(page, 'chat').getByText('No key'));
    await see(entry(page, 'chat').getByText('by-hand'));
    await expectFocus(page, '', 'More for chat');

    await fromMenu('Remove');
    await see(page.getByRole('status').getByText('Removed “chat” from heddle.yaml.'));
    expect(readFileSync(settings(), 'utf8')).toBe(`${MINE}defaults:\n  mind: base\n`);
    await expectFocus(page, '', 'Put “chat” back');
    await keyboard.press('Enter');
    await expectFocus(page, '', 'Try chat');
    expect(readFileSync(settings(), 'utf8')).toContain('model: by-hand, api_key_env: NOT_SET_HERE');
    await sound(page, `models-put-back-${width}`);
  });
});

async function expectFocus(page: Page, field: string, name = ''): Promise<void> {
  await expect.poll(() => page.evaluate(focusedName), { timeout: 10_000 }).toEqual([field, name]);
}

async function tabTo(page: Page, field: string, name = '', key = 'Tab'): Promise<void> {
  for (let step = 0; step < 60; step++) {
    await page.keyboard.press(key);
    const [isField, isName] = await page.evaluate(focusedName);
    if (isField === field && isName === name) return;
  }
  throw new Error(`${key} does not reach ${field || name}.`);
}

/** A field by its name, a button by what it is called. */
function focusedName(): [string, string] {
  const element = document.activeElement as HTMLInputElement;
  if (element.matches('input, select')) return [element.name, ''];
  const labels = (element.getAttribute('aria-labelledby') ?? '').split(' ').map((id) => document.getElementById(id));
  const label = labels.map((each) => (each as HTMLElement | null)?.innerText ?? '').join('');
  return ['', element.getAttribute('aria-label') ?? (label || element.innerText)];
}

function focusedPlaceholder(): string {
  return (document.activeElement as HTMLInputElement).placeholder;
}

function focusedValue(): string {
  return (document.activeElement as HTMLInputElement).value;
}

/** Nothing sticks out at 360 pixels; with HEDDLE_SHOTS set, pictures to look at. */
async function shots(page: Page, name: string): Promise<boolean> {
  const to = process.env.HEDDLE_SHOTS;
  let fits = true;
  for (const [width, height] of [
    [1280, 900],
    [360, 740],
  ] as const) {
    await page.setViewportSize({ width, height });
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      const main = page.locator('main');
      fits &&= await main.evaluate((element) => element.scrollWidth <= element.clientWidth);
      if (to) {
        await entry(page, 'small').scrollIntoViewIfNeeded();
        await page.screenshot({ path: join(to, `${name}-${width}-${colorScheme}.png`) });
      }
    }
  }
  return fits;
}
