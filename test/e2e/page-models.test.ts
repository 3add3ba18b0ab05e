import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type FakeModels, startFakeModels } from '../support/fake-models.ts';
import { FETCH_MS, storiesFile } from '../support/weights.ts';
import { see, setUpPages } from './page-support.ts';

vi.setConfig({ testTimeout: 60_000 });
const KEY = 'sk-0123456789-of-this-test';
process.env.HEDDLE_PAGE_TEST_KEY = KEY;
const pages = setUpPages();
let fake: FakeModels;

beforeAll(async () => {
  await storiesFile();
  fake = await startFakeModels();
}, FETCH_MS);
afterAll(() => fake.close());

function settings(): string {
  return join(pages.server.workspace, 'heddle.yaml');
}

function entry(page: Page, name: string) {
  return page.getByRole('region', { name: 'Models' }).locator('.models > li').filter({ hasText: name });
}

describe('[M1] the models in the settings', () => {
  test('[M1] [M3] the small one writes three texts at the touch of a button, each token with its probability', async () => {
    const page = await pages.open('/settings');
    const small = entry(page, 'small');
    await see(small.getByText('for mind, auditor, loom'));
    await small.getByRole('button', { name: 'Test' }).click();
    await see(small.getByRole('status').getByText('tokens read'));
    expect(await small.locator('.trials > li').count()).toBe(3);
    expect(await small.locator('.token small').count()).toBe(120);
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
    await see(entry(page, 'far').getByText('NOT_SET_HERE is not set'));
    await entry(page, 'chat').getByRole('button', { name: 'Test' }).click();
    await see(entry(page, 'chat').getByRole('alert'));
    expect(await page.content()).not.toContain('sk-0123');
    fake.answer(() => ({ text: 'A loom weaves cloth.' }));
    await entry(page, 'chat').getByRole('button', { name: 'Test' }).click();
    await see(entry(page, 'chat').getByText('A loom weaves cloth.'));
    await see(entry(page, 'chat').getByText(/cost 0\./));
    await shots(page, 'models-failing');
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
    await form.getByLabel('Tokens').fill('many');
    await form.getByRole('button', { name: 'Save' }).click();
    await see(form.getByRole('alert').getByText('"tokens" must be a number'));
    await form.getByLabel('Tokens').fill('10');
    await form.getByRole('button', { name: 'Save' }).click();
    await see(form.getByText('Saved in heddle.yaml.'));
    expect(readFileSync(settings(), 'utf8')).toBe('# mine\nperson: {id: human}\nbudgets:\n  workspace: {tokens: 10}\n');
    await entry(page, 'small').getByRole('button', { name: 'Test' }).click();
    await see(entry(page, 'small').getByRole('alert').getByText('The budget of this workspace is used up'));
    await form.getByLabel('Tokens').fill('');
    await form.getByRole('button', { name: 'Save' }).click();
    await see(form.getByText('Saved in heddle.yaml.'));
    await entry(page, 'small').getByRole('button', { name: 'Test' }).click();
    await see(entry(page, 'small').getByRole('status').getByText('tokens read'));
  });
});

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
