import { createQuirkBook, parseQuirks, type QuirkBook, type Quirks } from '../remote/quirks/quirks.ts';
import type { ModelEntry } from './schema.ts';

/** Where what was found out about servers is kept, so that the next process knows it too (M11). */
export interface QuirkStore {
  load(key: string): Promise<string | undefined>;
  save(key: string, value: string): Promise<void>;
}

/** What servers were found to take, by server and model: entries that name the same one share it. */
export function createRemembered(store?: QuirkStore) {
  const books = new Map<string, Promise<QuirkBook>>();
  const saving = new Set<Promise<unknown>>();

  function bookFor(entry: ModelEntry): Promise<QuirkBook> | undefined {
    const key = keyOf(entry);
    if (key === undefined) return undefined;
    const book = books.get(key) ?? load(key);
    books.set(key, book);
    return book;
  }

  async function load(key: string): Promise<QuirkBook> {
    const known = parseQuirks(await store?.load(key).catch(() => undefined));
    return createQuirkBook(known, (next) => save(key, next));
  }

  /** What cannot be saved is found out again: no answer waits or fails for it. */
  function save(key: string, known: Quirks): void {
    const saved = Promise.resolve(store?.save(key, JSON.stringify(known))).catch(() => {});
    saving.add(saved);
    void saved.finally(() => saving.delete(saved));
  }

  return { bookFor, settled: () => Promise.all(saving) };
}

function keyOf(entry: ModelEntry): string | undefined {
  if (!('model' in entry) || entry.provider === 'embedded' || entry.provider === 'local') return undefined;
  return `${entry.provider} ${entry.base_url ?? '-'} ${entry.model}`;
}
