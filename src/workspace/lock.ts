import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { createPrivateFile } from '../log/private-file.ts';
import { unusablePathError } from './directory.ts';

/** The lock on a workspace's file. The system releases it when the process dies, however it dies (L9). */
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
      // An in-memory journal, so that the lock needs no disk space.
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

/** Retries until it gets the lock, `findAlternative` returns something better, or time runs out. */
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

/** Runs short work under the lock; undefined if another process holds it for seconds. */
export function withFileLock<T>(path: string, work: () => T): { readonly done: T } | undefined {
  const lock = tryLock(path, WAIT_FOR_OTHERS_MS);
  if (!lock) return undefined;
  try {
    return { done: work() };
  } finally {
    lock.release();
  }
}
