import { threads } from '../core/threads/domain.ts';
import { rebuild } from '../engine/rebuild.ts';
import { createSecrets } from '../engine/secrets.ts';
import { type Imported, type ImportParts, importFile } from '../formats/import.ts';
import type { EventLog } from '../log/event-log.ts';
import { createIndexRows } from './index-rows.ts';

/** Brings an export into a workspace, its index rows with it. */
export function bringIn(
  log: EventLog,
  path: string,
  parts: Omit<ImportParts, 'derived' | 'refuses'>,
): Promise<Imported> {
  return importFile(log, path, { ...parts, derived: createIndexRows(log), refuses: createSecrets().check });
}

const TRIES = 5;

/**
 * Makes the derived rows anew. Other servers may append meanwhile (PostgreSQL),
 * and what was derived before would overwrite what they derived after: only a
 * run during which nothing was appended counts.
 */
export async function rebuildAll(log: EventLog, progress: (done: number, total: number) => void) {
  for (let left = TRIES; ; left--) {
    const before = await log.head();
    const rebuilt = await rebuild(log, threads, progress);
    if ((await log.head()) === before) return { ...rebuilt, quiet: true };
    if (left === 1) return { ...rebuilt, quiet: false };
  }
}
