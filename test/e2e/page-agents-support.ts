// Agents that say what a test gives them to say, and what a person does about them in a thread.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { see, type setUpPages } from './page-support.ts';

type Pages = ReturnType<typeof setUpPages>;

export interface Scripted {
  readonly id: string;
  /** What it says, one answer each time it is asked; then it passes. */
  readonly answers: readonly (string | object)[];
  readonly profile?: object;
}

/** A model that passes once for its invitation, so that what it says next is about what a person wrote. */
const PASS = { text: 'PASS' };

export function agents(pages: Pages) {
  const known = new Map<string, string>();

  /** Writes scripted models into the workspace's settings. */
  function models(scripts: Readonly<Record<string, readonly (string | object)[]>>): void {
    const { workspace } = pages.server;
    for (const [name, answers] of Object.entries(scripts)) {
      const played = answers.map((answer) => (typeof answer === 'string' ? { text: answer } : answer));
      known.set(name, `${name}.json`);
      writeFileSync(
        join(workspace, `${name}.json`),
        JSON.stringify({ answers: [...played, { ...PASS, repeat: 'always' }] }),
      );
    }
    const lines = [...known].map(([name, path]) => `  ${name}: {provider: scripted, path: ${path}}\n`);
    writeFileSync(join(workspace, 'heddle.yaml'), `person: {id: human}\nmodels:\n${lines.join('')}`);
  }

  /** A thread with agents in it that have had their first word, which is none. */
  async function thread(title: string, ...scripted: readonly Scripted[]): Promise<string> {
    models(Object.fromEntries(scripted.map(({ id, answers }) => [`${slug(title)}-${id}`, [PASS, ...answers]])));
    const invite = scripted.map(({ id, profile = {} }) => ({
      participant_id: id,
      profile: { kind: 'agent' as const, client: 'model', model: `${slug(title)}-${id}`, ...profile },
    }));
    const made = await pages.human().threads.create({ title, invite });
    await closed(made.thread.id, scripted.length);
    return made.thread.id;
  }

  /** Waits until so many askings have ended. */
  async function closed(id: string, count: number): Promise<void> {
    const ended = async () => {
      const { events } = await pages.human().thread(id).events({ limit: 1000 });
      return events.filter(({ type }) => type === 'wake.closed').length;
    };
    await expect.poll(ended, { timeout: 20_000 }).toBeGreaterThanOrEqual(count);
  }

  return { models, thread, closed };
}

function slug(title: string): string {
  return title.toLowerCase().replace(/[^a-z]+/g, '-');
}

/** The line beside the button to send. */
export function would(page: Page): Locator {
  return page.getByRole('form', { name: 'Write' }).locator('.would-wake');
}

export function atWork(page: Page): Locator {
  return page.getByRole('region', { name: 'At work' });
}

/** Opens what becomes of a message, the way a person does. */
export async function explain(row: Locator, name: string): Promise<Locator> {
  await row.hover();
  await row.getByRole('button', { name }).click();
  const explained = row.getByRole('region', { name: 'Who heard this' });
  await see(explained);
  return explained;
}

/** Nothing sticks out at 360 pixels; with HEDDLE_SHOTS set, pictures to look at. */
export async function look(page: Page, name: string): Promise<void> {
  const to = process.env.HEDDLE_SHOTS;
  const size = page.viewportSize();
  for (const [width, height] of [
    [1280, 800],
    [360, 740],
  ] as const) {
    await page.setViewportSize({ width, height });
    const sticksOut = () => document.documentElement.scrollWidth - document.documentElement.clientWidth;
    await expect.poll(() => page.evaluate(sticksOut)).toBe(0);
    for (const colorScheme of to ? (['light', 'dark'] as const) : []) {
      await page.emulateMedia({ colorScheme });
      await page.screenshot({ path: join(to as string, `${name}-${width}-${colorScheme}.png`) });
    }
  }
  await page.emulateMedia({ colorScheme: 'light' });
  if (size) await page.setViewportSize(size);
}
