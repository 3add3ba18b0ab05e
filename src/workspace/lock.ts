import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { createPrivateFile } from '../log/private-file.ts';
import { unusablePathError } from './directory.ts';

/** Whoever holds it owns the workspace's file. The system lets go of it when the process dies, however it dies (L9). */
export interface FileLock {
  release(): void;
}

const SQLITE_BUSY = 5;
const RETRY_MS = 50;
const WAIT_FOR_OTHERS_MS = 5_000;

function tryLock(path: string, timeout = 0): FileLock | undefined {
  createPrivateFile(path);
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
    throw unusablePathError(path, error);
  }
}

/** Tries until it has the lock, `findAlternative` has something better, or the time is over. */
export async function waitForLock<T>(
  path: string,
  withinMs: number,
  findAlternative: () => Promise<T | undefined>,
): Promise<FileLock | T | undefined> {
  const deadline = performance.now() + withinMs;
  for (;;) {
    const lock = tryLock(path);
    if (lock) return lock;
    const alternative = await findAlternative();
    if (alternative !== undefined) return alternative;
    if (performance.now() > deadline) return undefined;
    await sleep(RETRY_MS);
  }
}

/** Does something short while no other process does; undefined when another has been at it for seconds. */
export function withFileLock<T>(path: string, work: () => T): { readonly done: T } | undefined {
  const lock = tryLock(path, WAIT_FOR_OTHERS_MS);
  if (!lock) return undefined;
  try {
    return { done: work() };
  } finally {
    lock.release();
  }
}
