import type { EventLog, Stored } from '../../log/event-log.ts';
import { allImportedParts, type ImportedParts, importedParts } from './imported-ranges.ts';

/** More threads than this on one page, and all that was imported is asked for at once. */
const ONE_BY_ONE = 8;

/** A log whose events say of themselves whether they came in by an import: their authors are shown as that (L25). */
export function withImportMarks(log: EventLog): EventLog {
  const one = async (row: Promise<Stored | undefined>) => {
    const found = await row;
    return found && (await marked([found]))[0];
  };
  const marking: Partial<EventLog> = {
    readAll: async (...asked) => marked(await log.readAll(...asked)),
    readThread: async (...asked) => marked(await log.readThread(...asked)),
    readAt: async (...asked) => marked(await log.readAt(...asked)),
    byId: (...asked) => one(log.byId(...asked)),
    lastOf: (...asked) => one(log.lastOf(...asked)),
  };
  return new Proxy(log, {
    get: (store, name) => Reflect.get(Object.hasOwn(marking, name) ? marking : store, name),
  });

  async function marked(rows: readonly Stored[]): Promise<readonly Stored[]> {
    const imported = await partsOf(new Set(rows.map(({ thread }) => thread)));
    if (imported.size === 0) return rows;
    return rows.map((row) => (isWithin(imported.get(row.thread), row.seq) ? { ...row, imported: true } : row));
  }

  async function partsOf(threads: ReadonlySet<string>): Promise<ReadonlyMap<string, ImportedParts>> {
    if (threads.size > ONE_BY_ONE) return allImportedParts(log);
    const found = new Map<string, ImportedParts>();
    for (const thread of threads) {
      const parts = await importedParts(log, thread);
      if (parts && parts.parts.length > 0) found.set(thread, parts);
    }
    return found;
  }
}

function isWithin(imported: ImportedParts | undefined, seq: number): boolean {
  return imported?.parts.some(([first, last]) => first <= seq && seq <= last) ?? false;
}
