// Minds that say what a test gives them to say, and what a person does in the room of a dialogue.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { see, type setUpPages } from './page-support.ts';

type Pages = ReturnType<typeof setUpPages>;

/** What a mind says in one iteration: a draft or silence, and thoughts beside it. */
export function says(draft: string | null, ...thoughts: string[]): string {
  return JSON.stringify({ thoughts, ...(draft !== null && { draft }) });
}

export function minds(pages: Pages) {
  const names: string[] = [];

  /** A dialogue with a mind that gives these answers, one in each iteration, and then is silent. */
  async function create(
    title: string,
    answers: readonly (string | object)[],
    setup: object = {},
    script: object = {},
  ): Promise<string> {
    const name = `mind-${names.length + 1}`;
    names.push(name);
    const played = answers.map((answer) => (typeof answer === 'string' ? { text: answer } : answer));
    const all = [...played, { text: says(null), repeat: 'always' }];
    const { workspace } = pages.server;
    writeFileSync(join(workspace, `${name}.json`), JSON.stringify({ ...script, answers: all }));
    const models = names.map((each) => `  ${each}: {provider: scripted, path: ${each}.json}\n`);
    writeFileSync(join(workspace, 'heddle.yaml'), `person: {id: human}\nmodels:\n${models.join('')}`);
    const body = { title, kind: 'dialogue' as const, setup: { model: name, ...setup } };
    return (await pages.human().threads.create(body)).thread.id;
  }

  const remote = (id: string) => pages.human().thread(id);

  async function events(id: string, type: string): Promise<readonly { content: Record<string, unknown> }[]> {
    const page = await remote(id).events({ limit: 1000 });
    return page.events.filter((event) => event.type === type) as never;
  }

  return { create, remote, events };
}

/** What comes to be so within the time a page is given. */
export function soon<Value>(get: () => Value | Promise<Value>, message?: string) {
  return expect.poll(get, message === undefined ? {} : { message });
}

export function draft(page: Page, index: number): Locator {
  return page.getByRole('article', { name: `Draft ${index}`, exact: true });
}

/** The mark of a draft on the strip. */
export function mark(page: Page, index: number): Locator {
  return page.getByRole('tab', { name: `Draft ${index}`, exact: true });
}

/** Goes to a draft by its mark. */
export async function pick(page: Page, index: number): Promise<void> {
  await mark(page, index).click();
  await see(draft(page, index));
}

/** The marks of the strip, oldest first, as they are labelled. */
export function strip(page: Page): Promise<string[]> {
  return page.getByRole('tablist', { name: 'Drafts' }).getByRole('tab').allInnerTexts();
}

export function acceptButton(page: Page, index: number): Locator {
  return page.getByRole('toolbar', { name: 'Draft actions' }).getByRole('button', { name: `Accept draft ${index}` });
}

/** The next message is only noted. */
export async function thinkLater(page: Page): Promise<void> {
  await page.getByRole('switch', { name: 'Think at once' }).click();
}

export async function think(page: Page, amount: string): Promise<void> {
  await page.getByRole('button', { name: 'Think for' }).click();
  await page.getByRole('menuitem', { name: amount }).click();
}

/** A line in the menu beside a message, a reply or the title. */
export async function choose(page: Page, where: Locator, name: string): Promise<void> {
  await where.getByRole('button', { name: 'More' }).last().click();
  await page.getByRole('menuitem', { name }).click();
}

/** The menu of the whole dialogue. */
export function head(page: Page): Locator {
  return page.getByRole('main').locator('header').first();
}

export async function ask(page: Page, text: string): Promise<void> {
  await page.getByLabel('Your message').fill(text);
  await page.keyboard.press('Enter');
  const asked = page.getByRole('region', { name: 'Your message' });
  for (const line of text.split('\n')) await see(asked.getByText(line));
}

/** Waits for what the mind wants of the person. */
export function wants(page: Page, words: string | RegExp): Promise<void> {
  return see(page.getByRole('status', { name: 'What the mind needs' }).getByText(words));
}

/** Nothing sticks out sideways at either width, once the page is laid out. With HEDDLE_SHOTS set, pictures to look at. */
export async function nothingSticksOut(page: Page, name: string): Promise<void> {
  const to = process.env.HEDDLE_SHOTS;
  for (const [width, height] of [
    [1280, 900],
    [360, 740],
  ] as const) {
    await page.setViewportSize({ width, height });
    await soon(() => page.evaluate(sticksOut)).toEqual([]);
    for (const colorScheme of to ? (['light', 'dark'] as const) : []) {
      await page.emulateMedia({ colorScheme });
      await page.screenshot({ path: join(to as string, `${name}-${width}-${colorScheme}.png`) });
    }
  }
  await page.setViewportSize({ width: 1280, height: 800 });
}

function sticksOut(): readonly string[] {
  const main = document.querySelector('main') as HTMLElement;
  const edge = main.getBoundingClientRect().right + 1;
  const inside = [...main.querySelectorAll('*')].filter((each) => !each.closest('.unseen'));
  return [
    ...(document.documentElement.scrollWidth > innerWidth ? ['the page'] : []),
    ...(main.scrollWidth > main.clientWidth ? ['main'] : []),
    ...inside.filter((each) => each.getBoundingClientRect().right > edge).map((each) => String(each.className)),
  ];
}
