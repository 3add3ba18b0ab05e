// Minds and an auditor that say what a test gives them to say, and what a person does in the room of an exchange.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { gone, see, type setUpPages } from './page-support.ts';

type Pages = ReturnType<typeof setUpPages>;
type Played = string | object;

/** What a mind thinks in one round, and whether it asks for a restart. */
export function thinks(...thoughts: string[]): string {
  return JSON.stringify({ thoughts });
}
export function asksAgain(reason: string, ...thoughts: string[]): string {
  return JSON.stringify({ thoughts, restart: reason });
}

interface Cast {
  /** What each mind says, in order and then from the beginning again. */
  readonly minds: readonly (readonly Played[])[];
  readonly audits?: readonly Played[];
}

export function exchanges(pages: Pages) {
  const names: string[] = [];

  function script(answers: readonly Played[]): string {
    const name = `voice-${names.length + 1}`;
    names.push(name);
    const played = answers.map((answer) => (typeof answer === 'string' ? { text: answer } : answer));
    const { workspace } = pages.server;
    writeFileSync(join(workspace, `${name}.json`), JSON.stringify({ loop: true, answers: played }));
    const models = names.map((each) => `  ${each}: {provider: scripted, path: ${each}.json}\n`);
    writeFileSync(join(workspace, 'heddle.yaml'), `person: {id: human}\nmodels:\n${models.join('')}`);
    return name;
  }

  /** An exchange whose minds and auditor say what they are given. */
  async function create(title: string, { minds, audits = ['Nothing yet [#1].'] }: Cast, setup: object = {}) {
    const cast = {
      minds: minds.map((answers, i) => ({ id: `mind_${i}`, model: script(answers) })),
      auditor_model: script(audits),
    };
    const body = { title, kind: 'exchange' as const, setup: { ...cast, ...setup } };
    return (await pages.human().threads.create(body)).thread.id;
  }

  const remote = (id: string) => pages.human().thread(id);

  async function events(id: string, type: string): Promise<readonly { content: Record<string, unknown> }[]> {
    const page = await remote(id).events({ limit: 1000 });
    return page.events.filter((event) => event.type === type) as never;
  }

  return { create, remote, events };
}

export function round(page: Page, number: number): Locator {
  return page.getByRole('article', { name: `Round ${number}`, exact: true });
}

export function letter(page: Page, number: number): Locator {
  return page.getByRole('article', { name: `Audit ${number}`, exact: true });
}

/** Waits for what the exchange wants of the person. */
export function wants(page: Page, words: string | RegExp): Promise<void> {
  return see(page.getByRole('status', { name: 'State of the exchange' }).getByText(words));
}

export async function run(page: Page, rounds: '5 rounds' | '20 rounds' | '40 rounds'): Promise<void> {
  await page.getByRole('button', { name: 'How many rounds' }).click();
  await page.getByRole('menuitem', { name: rounds, exact: true }).click();
  await page.getByRole('button', { name: `Run ${rounds}` }).click();
}

/** Chooses a value of a select by what is shown. */
export async function choose(page: Page, field: Locator, option: string): Promise<void> {
  await field.click();
  await page.getByRole('option', { name: option, exact: true }).click();
  // The next list has options of the same names.
  await gone(page.getByRole('listbox'));
}
