import { createQuirkBook, parseQuirks, type QuirkBook, type Quirks } from '../remote/quirks/quirks.ts';
import type { ModelEntry } from './schema.ts';

/** Stores the quirks found in servers, so that the next process knows them too (M11). */
export interface QuirkStorage {
  load(key: string): Promise<string | undefined>;
  save(key: string, value: string): Promise<void>;
}

/** Quirks by server and model: entries that name the same server and model share them. */
export function createQuirkStore(storage?: QuirkStorage) {
  const books = new Map<string, Promise<QuirkBook>>();
  const pendingSaves = new Set<Promise<unknown>>();

  function bookFor(entry: ModelEntry): Promise<QuirkBook> | undefined {
    const key = quirkKeyOf(entry);
    if (key === undefined) return undefined;
    const book = books.get(key) ?? load(key);
    books.set(key, book);
    return book;
  }

  async function load(key: string): Promise<QuirkBook> {
    const quirks = parseQuirks(await storage?.load(key).catch(() => undefined));
    return createQuirkBook(quirks, (changed) => save(key, changed));
  }

  /** Quirks that cannot be saved are found again: no answer waits or fails because of this. */
  function save(key: string, quirks: Quirks): void {
    const pendingSave = Promise.resolve(storage?.save(key, JSON.stringify(quirks))).catch(() => {});
    pendingSaves.add(pendingSave);
    void pendingSave.finally(() => pendingSaves.delete(pendingSave));
  }

  return { bookFor, flush: () => Promise.all(pendingSaves) };
}

function quirkKeyOf(entry: ModelEntry): string | undefined {
  if (!('model' in entry) || entry.provider === 'embedded' || entry.provider === 'local') return undefined;
  return `${entry.provider} ${entry.base_url ?? '-'} ${entry.model}`;
}
