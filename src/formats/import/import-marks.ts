import type { EventLog, StoredEvent } from '../../log/event-log.ts';
import { type ImportedRanges, readAllImportedRanges, readImportedRanges } from './imported-ranges.ts';

/** With more threads than this on one page, all imported ranges are read at once. */
const MAX_SINGLE_READS = 8;

/** A log that marks imported events, so that their authors are shown as imported (L25). */
export function withImportMarks(log: EventLog): EventLog {
  const markOne = async (row: Promise<StoredEvent | undefined>) => {
    const storedEvent = await row;
    return storedEvent && (await markImported([storedEvent]))[0];
  };
  const overrides: Partial<EventLog> = {
    readAll: async (...args) => markImported(await log.readAll(...args)),
    readThread: async (...args) => markImported(await log.readThread(...args)),
    readAt: async (...args) => markImported(await log.readAt(...args)),
    byId: (...args) => markOne(log.byId(...args)),
    lastOf: (...args) => markOne(log.lastOf(...args)),
  };
  return new Proxy(log, {
    get: (store, name) => Reflect.get(Object.hasOwn(overrides, name) ? overrides : store, name),
  });

  async function markImported(rows: readonly StoredEvent[]): Promise<readonly StoredEvent[]> {
    const ranges = await rangesOf(new Set(rows.map(({ thread }) => thread)));
    if (ranges.size === 0) return rows;
    return rows.map((row) => (isWithin(ranges.get(row.thread), row.seq) ? { ...row, imported: true } : row));
  }

  async function rangesOf(threads: ReadonlySet<string>): Promise<ReadonlyMap<string, ImportedRanges>> {
    if (threads.size > MAX_SINGLE_READS) return readAllImportedRanges(log);
    const ranges = new Map<string, ImportedRanges>();
    for (const thread of threads) {
      const threadRanges = await readImportedRanges(log, thread);
      if (threadRanges && threadRanges.parts.length > 0) ranges.set(thread, threadRanges);
    }
    return ranges;
  }
}

function isWithin(range: ImportedRanges | undefined, seq: number): boolean {
  return range?.parts.some(([first, last]) => first <= seq && seq <= last) ?? false;
}
