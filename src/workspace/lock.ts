import { DatabaseSync } from 'node:sqlite';
import { setTimeout as later } from 'node:timers/promises';
import { makePrivately } from '../log/private-file.ts';
import { unusable } from './directory.ts';

/** Whoever holds it owns the workspace's file. The system lets go of it when the process dies, however it dies (L9). */
export interface Lock {
  release(): void;
}

const SQLITE_BUSY = 5;
const TRY_AGAIN_MS = 50;
const OTHERS_TAKE_MS = 5_000;

function tryLock(path: string, timeout = 0): Lock | undefined {
  makePrivately(path);
  try {
    const db = new DatabaseSync(path, { timeout });
    try {
      // Without a journal of its own the lock needs no room on the disk.
      db.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
      return { release: () => db.close() };
    } catch (error) {
      db.close();
      if (((error as { errcode?: number }).errcode ?? 0) % 256 === SQLITE_BUSY) return undefined;
      throw error;
    }
  } catch (error) {
    throw unusable(path, error);
  }
}

/** Tries until it has the lock, `instead` has something better, or the time is over. */
export async function waitForLock<T>(
  path: string,
  withinMs: number,
  instead: () => Promise<T | undefined>,
): Promise<Lock | T | undefined> {
  const giveUp = performance.now() + withinMs;
  for (;;) {
    const lock = tryLock(path);
    if (lock) return lock;
    const better = await instead();
    if (better !== undefined) return better;
    if (performance.now() > giveUp) return undefined;
    await later(TRY_AGAIN_MS);
  }
}

/** Does something short while no other process does; undefined when another has been at it for seconds. */
export function alone<T>(path: string, work: () => T): { readonly done: T } | undefined {
  const lock = tryLock(path, OTHERS_TAKE_MS);
  if (!lock) return undefined;
  try {
    return { done: work() };
  } finally {
    lock.release();
  }
}
