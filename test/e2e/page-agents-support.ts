// Agents that say what a test gives them to say, and what a person does about them in a thread.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import type { Actor } from '../../src/core/events/event.ts';
import { isRefusal } from '../../src/core/refusal.ts';
import type { Command } from '../../src/core/workspace.ts';
import { createEngine } from '../../src/engine/engine.ts';
import { exportLog } from '../../src/formats/export/export-log.ts';
import { type EventLog, eventOf, type StoredEvent } from '../../src/log/event-log.ts';
import { openMemoryLog } from '../../src/log/memory/memory-log.ts';
import { human as ana } from '../support/domain/given.ts';
import { threadWith } from '../support/servers/agent-server.ts';
import { see, type setUpPages } from './page-support.ts';

type Pages = ReturnType<typeof setUpPages>;

export interface Scripted {
  readonly id: string;
  /** What it says, one answer each time it is asked; then it passes. */
  readonly answers: readonly (string | object)[];
  readonly profile?: { readonly roles?: string[]; readonly [more: string]: unknown };
}

/** What a model says to its invitation, so that what it says next is about what a person wrote. An auditor is not asked then. */
const PASS = { text: 'PASS' };

export function agents(pages: Pages) {
  const known = new Map<string, string>();
  const programs = new Map<string, readonly string[]>();

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
    writeSettings();
  }

  /** Writes a command-line agent into them, which answers with what it prints. */
  function program(name: string, ...command: readonly string[]): void {
    programs.set(name, command);
    writeSettings();
  }

  function writeSettings(): void {
    const models = Object.fromEntries([...known].map(([name, path]) => [name, { provider: 'scripted', path }]));
    const clients = Object.fromEntries([...programs].map(([name, command]) => [name, { adapter: 'command', command }]));
    // JSON is YAML too.
    const settings = JSON.stringify({ person: { id: 'human' }, models, clients });
    writeFileSync(join(pages.server.workspace, 'heddle.yaml'), settings);
  }

  /** A thread with agents in it that have had their first word, which is none. */
  async function thread(title: string, ...scripted: readonly Scripted[]): Promise<string> {
    const first = (profile: { roles?: readonly string[] } = {}) => (profile.roles?.includes('auditor') ? [] : [PASS]);
    models(
      Object.fromEntries(
        scripted.map(({ id, answers, profile }) => [`${slug(title)}-${id}`, [...first(profile), ...answers]]),
      ),
    );
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

  return { models, program, thread, closed };
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

/** A thread of another workspace, in which an agent was muted as it finished, as a file. */
export async function heldDrafts(title: string) {
  const log = openMemoryLog();
  const engine = await createEngine({ log });
  const made = await threadWith(engine, ['alpha', {}]);
  const asked = async (name: 'post' | 'answer', actor: Actor, input: object) => {
    const done = await engine.handle(actor, { name, input: { thread: made, ...input } } as Command);
    if (isRefusal(done)) throw new Error(done.refusal.message);
    return done.events[0] as StoredEvent;
  };
  await asked('post', ana, { type: 'control', content: { rename: { title } } });
  const event = await asked('post', ana, { type: 'message', content: 'Beans or peas?' });
  await asked('post', ana, { type: 'control', content: { mute: { targets: ['alpha'], mode: 'hard' } } });
  const answer = { event: eventOf(event).id, up_to: event.seq, outcome: 'answered' };
  const alpha: Actor = { id: 'alpha', kind: 'agent' };
  await asked('answer', alpha, { ...answer, text: 'Beans, I would say.' });
  await asked('answer', alpha, { ...answer, text: 'Or peas.' });
  const file = await fileOf(log);
  await engine.close();
  return { id: made, file };
}

/** A thread of another workspace to which these were invited, as a file: that workspace may have clients of any name. */
export async function invitedElsewhere(...agents: Parameters<typeof threadWith>[1][]) {
  const log = openMemoryLog();
  const engine = await createEngine({ log });
  const id = await threadWith(engine, ...agents);
  const file = await fileOf(log);
  await engine.close();
  return { id, file };
}

async function fileOf(log: EventLog): Promise<string> {
  let file = '';
  for await (const line of exportLog(log, { created: new Date().toISOString() })) file += line;
  return file;
}
