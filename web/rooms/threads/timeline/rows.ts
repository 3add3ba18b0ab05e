import { wakeClosureOf } from '../wording/wake.ts';
import type { TimelineEntry } from './entries.ts';

/** What the timeline shows in one place: an entry, or several changes folded into a line. */
export interface TimelineRow {
  readonly key: string;
  /** More than one if they are folded; the newest is last. */
  readonly entries: readonly TimelineEntry[];
}

const FOLDED_TYPES = new Set(['control', 'thread.created', 'thread.renamed', 'presence', 'wake.closed']);

/** Folds neighbouring changes of members and settings. What failed, and what can be pressed, stays in sight. */
export function foldEntries(entries: readonly TimelineEntry[]): readonly TimelineRow[] {
  const rows: { key: string; entries: TimelineEntry[] }[] = [];
  for (const entry of entries) {
    const row = rows.at(-1);
    const last = row?.entries.at(-1);
    const joins = last && isFoldable(last) && isFoldable(entry) && !entry.isFirstNew && !entry.isFirstOfDay;
    if (joins) row?.entries.push(entry);
    else rows.push({ key: entry.key, entries: [entry] });
  }
  return rows;
}

function isFoldable({ kind, event }: TimelineEntry): boolean {
  return kind === 'note' && FOLDED_TYPES.has(event.type) && wakeClosureOf(event)?.outcome !== 'failed';
}

/** The current rows. A fold of which nothing has changed keeps its identity, so that it is not drawn again. */
export function reuseRows(before: readonly TimelineRow[], now: readonly TimelineRow[]): readonly TimelineRow[] {
  const previousByKey = new Map(before.map((row) => [row.key, row]));
  return now.map((row) => {
    const old = previousByKey.get(row.key);
    const isSame =
      old?.entries.length === row.entries.length && row.entries.every((each, i) => each === old.entries[i]);
    return old && isSame ? old : row;
  });
}
