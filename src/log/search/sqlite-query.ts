import type { QueryTerm } from '../../core/search/query.ts';
import type { IndexQuery } from './search-index.ts';

/** Beginnings of so many letters are in the index themselves (migrations/search-sqlite.ts). */
const INDEXED_PREFIX_LENGTH = 3;
/** Longer ones stand for the words that begin so, up to so many. */
const MAX_PREFIX_WORDS = 128;
export const LAST_LETTER = '\u{10FFFF}';

/** The words from one ($1) up to another ($2), by a leap from each to the next; at most so many ($3). */
export const wordsByPrefixSql = `
  WITH RECURSIVE begun(word) AS (
    SELECT (SELECT term FROM vocabulary WHERE term >= ?1 LIMIT 1)
    UNION ALL
    SELECT (SELECT term FROM vocabulary WHERE term >= begun.word || char(1) LIMIT 1) FROM begun WHERE word < ?2
  )
  SELECT word FROM begun WHERE word < ?2 LIMIT ?3`;

type FindWords = (prefix: string, limit: number) => readonly string[];

interface FtsMatch {
  /** In the store's own language, made of words that have no sign in them which means something in it. */
  readonly match: string;
  /** Are all texts of all words that begin so put together, which takes long, before the first is given? */
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
