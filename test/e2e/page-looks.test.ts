import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { row, see, setUpPages } from './page-support.ts';

const pages = setUpPages();

async function newThread(title: string, ...messages: string[]) {
  const human = pages.human();
  const { thread } = await human.threads.create({ title });
  for (const content of messages) await human.thread(thread.id).post({ type: 'message', content });
  return thread.id;
}

const LONG = 'donaudampfschifffahrtsgesellschaftskapitänsmütze'.repeat(6);

test('[I11] at 360 px nothing scrolls sideways; a bar leads on, menu and panel are sheets', async () => {
  const title = `Narrow ${LONG.slice(0, 180)}`;
  const id = await newThread(
    title,
    LONG,
    `\`${LONG}\``,
    `\`\`\`\n${LONG}\n\`\`\``,
    `> ${LONG}\n\n| ${LONG} | b |\n|---|---|\n| 1 | 2 |`,
  );
  const thread = pages.human().thread(id);
  const participant_id = 'a'.repeat(64);
  await thread.post({
    type: 'control',
    content: { invite: { participant_id, profile: { nickname: LONG.slice(0, 64) } } },
  });
  await thread.post({ type: 'message', to: participant_id, content: 'שלום' });
  const page = await pages.open(`/threads/${id}`, { viewport: { width: 360, height: 720 }, hasTouch: true });
  const fits = () =>
    page.evaluate(() => document.documentElement.scrollWidth <= innerWidth && document.body.scrollWidth <= innerWidth);
  await see(row(page, 'שלום'));
  expect(await fits()).toBe(true);
  const timeline = page.locator('.timeline');
  expect(await timeline.evaluate((element) => element.scrollWidth <= element.clientWidth)).toBe(true);
  await page.getByRole('button', { name: 'People' }).tap();
  const panel = page.getByRole('dialog', { name: 'People' });
  await panel.getByRole('button', { name: `More for ${participant_id}` }).tap();
  await page.getByRole('menuitem', { name: 'Ask to reply' }).tap();
  expect(await panel.evaluate((element) => element.scrollWidth <= element.clientWidth)).toBe(true);
  await page.keyboard.press('Escape');
  await see(page.getByText(/human asked .* to reply/));
  await page.getByRole('link', { name: 'Back to the inbox' }).tap();
  await see(page.getByRole('heading', { name: 'Inbox', level: 1 }));
  expect(await fits()).toBe(true);
  await page.getByRole('navigation', { name: 'Main' }).getByRole('button', { name: 'Menu' }).tap();
  const menu = page.getByRole('dialog', { name: 'Menu' });
  await menu.getByRole('link', { name: 'Threads' }).tap();
  await see(page.getByRole('heading', { name: 'Threads', level: 1 }));
  expect(await fits()).toBe(true);
  await page.getByRole('navigation', { name: 'Main' }).getByRole('button', { name: 'Menu' }).tap();
  await menu.getByRole('link', { name: 'Settings' }).tap();
  await see(page.getByRole('heading', { name: 'Settings' }));
  expect(await fits()).toBe(true);
  await page.getByRole('navigation', { name: 'Main' }).getByRole('button', { name: 'New' }).tap();
  await see(page.getByRole('dialog', { name: 'New' }).getByRole('button', { name: 'Begin' }));
  expect(await fits()).toBe(true);
});

test('[I4] [I11] at 360 px the HTTP reference, home, settings and an unknown address do not scroll sideways', async () => {
  const page = await pages.open('/', { viewport: { width: 360, height: 720 }, hasTouch: true });
  for (const path of ['/docs', '/', '/all', '/settings', '/nowhere']) {
    await page.goto(pages.server.url + path);
    await see(page.getByRole('heading', { level: 1 }));
    const wide = await page.evaluate(() => {
      // The sections of the settings are a row to swipe.
      const exempt = '.unseen, nav[aria-label=Settings] *';
      const all = [...document.querySelectorAll('body *')].filter((each) => !each.closest(exempt));
      const out = all.filter((each) => each.getBoundingClientRect().right > innerWidth + 1);
      return [document.documentElement.scrollWidth - innerWidth, ...out.slice(0, 3).map((each) => each.textContent)];
    });
    expect(wide, path).toEqual([0]);
  }
});

test('[I11] the policy of the page allows its own files and nothing else', async () => {
  const page = await (await pages.newContext()).newPage();
  const policy = (await page.goto(pages.server.url))?.headers()['content-security-policy'] ?? '';
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("script-src 'self';");
  expect(policy).toContain("style-src 'self';");
  expect(policy).not.toMatch(/unsafe|\*|data:|https?:/);
});

test('[I11] the page weighs little, and a room is loaded when it is opened', () => {
  const folder = join(import.meta.dirname, '../../dist/web/assets');
  const first = readFileSync(join(folder, '../index.html'), 'utf8');
  const weigh = (names: string[]) =>
    names.map((name) => gzipSync(readFileSync(join(folder, name))).length).reduce((sum, size) => sum + size, 0);
  const [fonts, files] = partition(readdirSync(folder), (name) => name.endsWith('.woff2'));
  // The colours of code (a folder of their own) and maths are loaded by texts that have them.
  const later = files.filter((name) => name !== 'code' && !name.startsWith('temml') && !first.includes(name));
  expect(weigh(files.filter((name) => first.includes(name)))).toBeLessThan(130_000);
  // All rooms together, with the dialogs, menus and toasts that they open: dialogues and exchanges are folded here by the
  // core's own code.
  expect(weigh(later)).toBeLessThan(485_000);
  // What a reader of English loads; other scripts come when a text needs them.
  const latin = fonts.filter((name) => /-latin-wght-/.test(name));
  expect(latin).toHaveLength(5);
  expect(latin.reduce((sum, name) => sum + statSync(join(folder, name)).size, 0)).toBeLessThan(250_000);
});

test.each(['light', 'dark'] as const)(
  '[I11] in %s every text stands out from its ground by at least 4.5 to 1',
  async (colorScheme) => {
    const alpha = await pages.agent('alpha');
    const id = await newThread(
      `Contrast in ${colorScheme}`,
      'Text with `code`, a [link](https://example.org) and\n\n> a quotation',
    );
    for (let index = 0; index < 9; index++) {
      const invite = { participant_id: `agent-${index}`, profile: {} };
      await pages.human().thread(id).post({ type: 'control', content: { invite } });
    }
    await alpha.thread(id).post({ type: 'message', to: 'human', content: 'For you' });
    // A colour on its way to another one is neither.
    const page = await pages.open('/', { colorScheme, reducedMotion: 'reduce' });
    await alpha.thread(id).post({ type: 'control', content: { prod: ['human'] } });
    await see(page.getByText('asks you to reply'));
    expect(await faint(page)).toEqual([]);
    await page
      .getByRole('link', { name: /alpha asks you to reply/ })
      .first()
      .click();
    await see(row(page, 'For you'));
    await page.getByRole('complementary').getByRole('button', { name: 'Invite' }).click();
    await page.getByLabel('Someone else, by ID').check();
    await page.getByLabel('ID', { exact: true }).fill('Not An Id');
    await page.keyboard.press('Enter');
    await see(page.getByRole('alert'));
    expect(await faint(page)).toEqual([]);
    const [paper, ink] =
      colorScheme === 'light' ? ['rgb(251, 250, 247)', 'rgb(29, 27, 24)'] : ['rgb(26, 24, 22)', 'rgb(236, 231, 222)'];
    const body = await page.evaluate(() => [
      getComputedStyle(document.body).backgroundColor,
      getComputedStyle(document.body).color,
    ]);
    expect(body).toEqual([paper, ink]);
  },
);

function partition<T>(all: readonly T[], test: (item: T) => boolean): [T[], T[]] {
  return [all.filter(test), all.filter((item) => !test(item))];
}

/** Texts in view whose contrast is below 4.5, with the figure. */
function faint(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const channels = (color: string) => (color.match(/[\d.]+/g) ?? []).map(Number);
    const light = (color: readonly number[]) => {
      const [r = 0, g = 0, b = 0] = color.map((value) => {
        const part = value / 255;
        return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
      });
      return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    /** What is seen behind a text: grounds that let light through lie over those below them. */
    const ground = (element: Element | null): readonly number[] => {
      if (!element) return [255, 255, 255];
      const [r = 0, g = 0, b = 0, alpha = 1] = channels(getComputedStyle(element).backgroundColor);
      if (alpha === 1) return [r, g, b];
      const below = ground(element.parentElement);
      return [r, g, b].map((value, i) => value * alpha + (below[i] as number) * (1 - alpha));
    };
    return [...document.querySelectorAll('body *')].flatMap((element) => {
      const text = [...element.childNodes]
        .filter((node) => node.nodeType === Node.TEXT_NODE)
        .map((node) => node.textContent?.trim())
        .join('');
      if (!text || !element.checkVisibility({ visibilityProperty: true })) return [];
      const [a, b] = [light(channels(getComputedStyle(element).color)), light(ground(element))].sort(
        (x, y) => y - x,
      ) as [number, number];
      const ratio = (a + 0.05) / (b + 0.05);
      return ratio < 4.5 ? [`${text.slice(0, 30)}: ${ratio.toFixed(2)}`] : [];
    });
  });
}
