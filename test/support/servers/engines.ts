// Engines on a real file, and what tests of them say to each.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import { isRefusal, type Refusal } from '../../../src/core/refusal.ts';
import type { ConversationCommand } from '../../../src/core/threads/commands.ts';
import { createEngine, type Engine } from '../../../src/engine/engine.ts';
import type { CommandResult } from '../../../src/engine/handle.ts';
import type { EventLog, StoredEvent } from '../../../src/log/event-log.ts';
import { openSqliteLog } from '../../../src/log/sqlite/sqlite-log.ts';
import { human } from '../domain/given.ts';

/** A directory for each test; what was opened in it is closed after it. */
export function setUpEngines() {
  let directory: string;
  const closing: (() => Promise<void>)[] = [];

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'heddle-engine-'));
  });
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close();
    rmSync(directory, { recursive: true });
  });

  const file = () => join(directory, 'heddle.db');

  async function open(log: EventLog = openSqliteLog(file())): Promise<Engine> {
    const engine = await createEngine({ log });
    closing.push(async () => {
      await engine.close();
      await log.close();
    });
    return engine;
  }

  return { file, open, closing };
}

export const create = {
  name: 'create',
  input: { title: 'Plans', kind: 'conversation', invite: [] },
} satisfies ConversationCommand;
export const say = (thread: string, content: string): ConversationCommand => ({
  name: 'post',
  input: { thread, type: 'message', content },
});

export function eventsOf(handled: CommandResult): readonly StoredEvent[] {
  if (isRefusal(handled)) throw new Error(handled.refusal.message);
  return handled.events;
}

export const refusalOf = (handled: CommandResult) => (handled as Refusal).refusal;

export async function newThread(engine: Engine): Promise<string> {
  return (eventsOf(await engine.handle(human, create))[0] as StoredEvent).thread;
}
