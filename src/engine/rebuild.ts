import { canonical } from '../core/canonical.ts';
import type { Fold } from '../core/decider.ts';
import { workspace } from '../core/workspace.ts';
import type { EventLog } from '../log/event-log.ts';
import { THREAD_INDEX } from '../log/record-kinds.ts';
import { rebuildIndex } from './search/take-in.ts';
import { createStates } from './states.ts';

export interface Rebuilt {
  readonly threads: number;
  readonly events: number;
  /** Rows that were not as the log says. */
  readonly mended: number;
}

const PAGE = 1000;
const TRIES = 5;

/** Makes everything anew that is derived from the log: its rows, and the index of its words. */
export async function rebuildAll(log: EventLog, progress?: (events: number, total: number) => void) {
  const rebuilt = await rebuildQuietly(log, workspace, progress);
  await rebuildIndex(log, progress);
  return rebuilt;
}

/**
 * While others append, what was derived before may overwrite what they derived
 * after: only a run during which nothing was appended is `quiet`, and counts.
 */
async function rebuildQuietly<State>(
  log: EventLog,
  fold: Fold<State>,
  progress?: (events: number, total: number) => void,
): Promise<Rebuilt & { readonly quiet: boolean }> {
  for (let left = TRIES; ; left--) {
    const before = await log.head();
    const rebuilt = await rebuild(log, fold, progress);
    const quiet = (await log.head()) === before;
    if (quiet || left === 1) return { ...rebuilt, quiet };
  }
}

/** Makes every derived table anew from the events alone (L14). */
async function rebuild<State>(
  log: EventLog,
  fold: Fold<State>,
  progress: (events: number, total: number) => void = () => {},
): Promise<Rebuilt> {
  await log.dropSnapshots();
  const states = createStates(log, fold);
  const total = await log.head();
  const threads = new Set<string>();
  for (let position = 0; ; position += PAGE) {
    const rows = await log.readAll(position, PAGE);
    for (const row of rows) threads.add(row.thread);
    progress(Math.min(position + rows.length, total), total);
    if (rows.length < PAGE) break;
  }
  const rows: { key: string; value: string }[] = [];
  for (const thread of [...threads].sort()) {
    const loaded = await states.load(thread);
    if (loaded) rows.push({ key: thread, value: canonical(fold.summary(loaded.state)) });
  }
  const before = new Map((await log.records(THREAD_INDEX)).map((row) => [row.key, row.value]));
  const wrong = rows.filter((row) => before.get(row.key) !== row.value).length;
  await log.replaceRecords(THREAD_INDEX, rows);
  return { threads: rows.length, events: total, mended: wrong + Math.max(0, before.size - rows.length) };
}
