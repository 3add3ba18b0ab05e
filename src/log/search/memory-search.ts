import type { Term } from '../../core/search/query.ts';
import {
  type Found,
  type IndexedText,
  indexedWords,
  type Mark,
  NO_MARK,
  type SearchIndex,
  sameMark,
  type Wanted,
} from './search-index.ts';

interface Row extends Found {
  readonly ts: number;
  /** With a space on both sides of every word. */
  readonly words: string;
}

/** For throw-away workspaces: looks at every text, the newest first. */
export function createMemorySearch(): SearchIndex {
  let mark: Mark = NO_MARK;
  let rows: Row[] = [];

  return {
    async mark() {
      return mark;
    },
    async put(from, to, texts) {
      if (!sameMark(from, mark)) return false;
      for (const text of texts) rows.push(rowOf(text, rows.length + 1));
      mark = to;
      return true;
    },
    async clear() {
      mark = NO_MARK;
      rows = [];
    },
    async find(wanted, under, limit) {
      const found: Found[] = [];
      for (let i = Math.min(rows.length, under - 1) - 1; i >= 0 && found.length < limit; i--) {
        const row = rows[i] as Row;
        if (answers(row, wanted)) found.push({ n: row.n, position: row.position, part: row.part });
      }
      const last = found.at(-1);
      return { found, ...(last && found.length === limit && { reached: last.n }) };
    },
  };
}

function rowOf(text: IndexedText, n: number): Row {
  const { position, part, ts } = text;
  return { n, position, part, ts, words: ` ${indexedWords(text).join(' ')} ` };
}

function answers({ ts, words }: Row, { all, any, none, after, before }: Wanted): boolean {
  if (after !== undefined && ts < after) return false;
  if (before !== undefined && ts >= before) return false;
  const has = (term: Term) => words.includes(` ${term.words.join(' ')}${term.prefix ? '' : ' '}`);
  return all.every(has) && any.every((list) => list.some((word) => words.includes(` ${word} `))) && !none.some(has);
}
