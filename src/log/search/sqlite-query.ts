import type { QueryTerm } from '../../core/search/query.ts';
import type { IndexQuery } from './search-index.ts';

/** Prefixes of this length are indexed themselves (migrations/search-sqlite.ts). */
const INDEXED_PREFIX_LENGTH = 3;
/** A longer prefix is expanded to at most this many words. */
const MAX_PREFIX_WORDS = 128;
export const LAST_LETTER = '\u{10FFFF}';

/** The words from ?1 up to ?2, skipping from each to the next; at most ?3. */
export const wordsByPrefixSql = `
  WITH RECURSIVE begun(word) AS (
    SELECT (SELECT term FROM vocabulary WHERE term >= ?1 LIMIT 1)
    UNION ALL
    SELECT (SELECT term FROM vocabulary WHERE term >= begun.word || char(1) LIMIT 1) FROM begun WHERE word < ?2
  )
  SELECT word FROM begun WHERE word < ?2 LIMIT ?3`;

type FindWords = (prefix: string, limit: number) => readonly string[];

interface FtsMatch {
  /** An FTS5 expression; its words contain no character that is special in FTS5. */
  readonly match: string;
  /** Whether FTS5 collects all texts of all words with a prefix, which is slow, before it returns the first. */
  readonly isMaterialized: boolean;
}

export function buildMatch({ all, any, none }: IndexQuery, findWords: FindWords): FtsMatch {
  const expand = (term: QueryTerm) => expandPrefix(term, findWords);
  const required: readonly (readonly QueryTerm[])[] = [
    ...all.map(expand),
    ...any.map((words) => words.map((word) => ({ words: [word] }))),
  ];
  const excluded = none.flatMap(expand);
  const requiredMatch = required.map(anyOf).join(' AND ');
  return {
    match: excluded.length === 0 ? requiredMatch : `(${requiredMatch}) NOT ${anyOf(excluded)}`,
    isMaterialized: [...required.flat(), ...excluded].some((term) => term.prefix && !isIndexedPrefix(term)),
  };
}

function expandPrefix(term: QueryTerm, findWords: FindWords): readonly QueryTerm[] {
  if (!term.prefix || isIndexedPrefix(term)) return [term];
  const words = findWords(term.words.at(-1) ?? '', MAX_PREFIX_WORDS + 1);
  if (words.length === 0 || words.length > MAX_PREFIX_WORDS) return [term];
  return words.map((word) => ({ words: [...term.words.slice(0, -1), word] }));
}

function isIndexedPrefix({ words }: QueryTerm): boolean {
  return [...(words.at(-1) ?? '')].length === INDEXED_PREFIX_LENGTH;
}

function anyOf(terms: readonly QueryTerm[]): string {
  const phrases = terms.map(({ words, prefix }) => `"${words.join(' ').replaceAll('"', '""')}"${prefix ? '*' : ''}`);
  return `(${phrases.join(' OR ')})`;
}
