import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Actor } from '../src/core/events/event.ts';
import { isRefusal } from '../src/core/refusal.ts';
import type { ConversationCommand } from '../src/core/threads/commands.ts';
import { createEngine, type Engine } from '../src/engine/engine.ts';
import type { StoredEvent } from '../src/log/event-log.ts';
import { openSqliteLog } from '../src/log/sqlite/sqlite-log.ts';

export const human: Actor = { id: 'human', kind: 'human' };
export const agent: Actor = { id: 'alpha', kind: 'agent' };
/** What every bench writes: a message of a usual length. */
export const TEXT = 'A message of a usual length, neither short nor long, as people and agents write them. '.repeat(2);

export async function withDirectory<T>(work: (directory: string) => Promise<T>): Promise<T> {
  const directory = mkdtempSync(join(tmpdir(), 'heddle-bench-'));
  try {
    return await work(directory);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

export async function withEngine<T>(path: string, work: (engine: Engine) => Promise<T>): Promise<T> {
  const log = openSqliteLog(path);
  const engine = await createEngine({ log });
  try {
    return await work(engine);
  } finally {
    await engine.close();
    await log.close();
  }
}

export async function threadIn(engine: Engine, title = 'Bench'): Promise<string> {
  const events = await append(engine, human, { name: 'create', input: { title, kind: 'conversation', invite: [] } });
  return events[0]?.thread as string;
}

export function say(thread: string, content = TEXT): ConversationCommand {
  return { name: 'post', input: { thread, type: 'message', content } };
}

export async function append(
  engine: Engine,
  actor: Actor,
  command: ConversationCommand,
): Promise<readonly StoredEvent[]> {
  const handled = await engine.handle(actor, command);
  if (isRefusal(handled)) throw new Error(handled.refusal.message);
  return handled.events;
}

export async function fill(engine: Engine, thread: string, count: number) {
  for (let left = count; left > 0; left -= 500) {
    await Promise.all(Array.from({ length: Math.min(500, left) }, () => append(engine, agent, say(thread))));
  }
}
