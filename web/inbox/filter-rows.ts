import type { ThreadRow } from '../../src/client/index.ts';
import { sortThreads, withoutArchived } from '../data/thread-order.ts';

export interface ListFilter {
  /** Words that the title must have. */
  readonly words: string;
  readonly unread?: boolean;
  readonly needsYou?: boolean;
  /** Archived threads and nothing else. */
  readonly archived?: boolean;
  readonly tag?: string | undefined;
}

/** What the filters ask about threads that their rows do not tell. */
interface ListFacts {
  readonly unread: ReadonlyMap<string, number>;
  readonly urgent: ReadonlySet<string>;
}

/** The rows of a list, side channels under their parents; a filter leaves only what it finds. */
export function filterRows(
  rows: Iterable<ThreadRow>,
  { kind, words, unread, needsYou, archived = false, tag }: ListFilter & { readonly kind: string | undefined },
  facts: ListFacts,
): ReturnType<typeof sortThreads> {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  const matches = ({ id, title, tags }: ThreadRow) =>
    (tag === undefined || tags?.includes(tag)) &&
    (!unread || facts.unread.has(id)) &&
    (!needsYou || facts.urgent.has(id)) &&
    wanted.every((word) => title.toLowerCase().includes(word));
  const all = [...rows];
  const found = all.filter((row) => (kind === undefined || row.kind === kind) && matches(row));
  return archived ? inArchive(all, found) : sortThreads(found);
}

function inArchive(all: readonly ThreadRow[], found: readonly ThreadRow[]): ReturnType<typeof sortThreads> {
  const unarchived = new Set(withoutArchived(all));
  return found
    .filter((row) => !unarchived.has(row))
    .sort((a, b) => (a.last.ts < b.last.ts ? 1 : -1))
    .map((row) => ({ row, depth: 0 }));
}

/** Pinned threads first, in the order of the pins, each with its side channels. */
export function splitPinned(
  found: ReturnType<typeof sortThreads>,
  pins: readonly string[],
): { readonly pinned: ReturnType<typeof sortThreads>; readonly others: ReturnType<typeof sortThreads> } {
  const groups: (typeof found)[number][][] = [];
  for (const each of found) {
    if (each.depth === 0) groups.push([each]);
    else groups.at(-1)?.push(each);
  }
  const placeOf = (group: typeof found) => pins.indexOf(group[0]?.row.id ?? '');
  return {
    pinned: groups
      .filter((group) => placeOf(group) >= 0)
      .sort((a, b) => placeOf(a) - placeOf(b))
      .flat(),
    others: groups.filter((group) => placeOf(group) < 0).flat(),
  };
}

/** The tags of these rows, the most used first. */
export function tagsOf(rows: Iterable<ThreadRow>): readonly string[] {
  const counts = new Map<string, number>();
  for (const { tags = [] } of rows) for (const tag of tags) counts.set(tag, (counts.get(tag) ?? 0) + 1);
  return [...counts].sort(([a, m], [b, n]) => n - m || a.localeCompare(b)).map(([tag]) => tag);
}
