import type { QueryTerm } from '../../core/search/query.ts';
import {
  EMPTY_MARK,
  type IndexedText,
  type IndexHit,
  type IndexMark,
  type IndexQuery,
  indexedWordsOf,
  isSameMark,
  type SearchIndex,
} from './search-index.ts';

interface MemoryRow extends IndexHit {
  readonly ts: number;
  /** The words of the text, with a space on both sides of every word. */
  readonly words: string;
}

/** A search for throw-away workspaces: scans every text, newest first. */
export function createMemorySearch(): SearchIndex {
  let mark: IndexMark = EMPTY_MARK;
  let rows: MemoryRow[] = [];

  return {
    async mark() {
      return mark;
    },
    async put(from, to, texts) {
      if (!isSameMark(from, mark)) return false;
      for (const text of texts) rows.push(rowOf(text, rows.length + 1));
      mark = to;
      return true;
    },
    async clear() {
      mark = EMPTY_MARK;
      rows = [];
    },
    async find(indexQuery, below, limit) {
      const hits: IndexHit[] = [];
      for (let i = Math.min(rows.length, below - 1) - 1; i >= 0 && hits.length < limit; i--) {
        const row = rows[i] as MemoryRow;
        if (matchesQuery(row, indexQuery)) hits.push({ n: row.n, position: row.position, part: row.part });
      }
      const lastHit = hits.at(-1);
      return { hits, ...(lastHit && hits.length === limit && { reached: lastHit.n }) };
    },
  };
}

function rowOf(text: IndexedText, n: number): MemoryRow {
  const { position, part, ts } = text;
  return { n, position, part, ts, words: ` ${indexedWordsOf(text).join(' ')} ` };
}

function matchesQuery({ ts, words }: MemoryRow, { all, any, none, after, before }: IndexQuery): boolean {
  if (after !== undefined && ts < after) return false;
  if (before !== undefined && ts >= before) return false;
  const hasTerm = (term: QueryTerm) => words.includes(` ${term.words.join(' ')}${term.prefix ? '' : ' '}`);
  return (
    all.every(hasTerm) && any.every((list) => list.some((word) => words.includes(` ${word} `))) && !none.some(hasTerm)
  );
}
