import type { Term } from '../../core/search/query.ts';
import type { Wanted } from './search-index.ts';

/** Beginnings of so many letters are in the index themselves (migrations/search-sqlite.ts). */
const INDEXED_BEGINNING = 3;
/** Longer ones stand for the words that begin so, up to so many. */
const MOST_WORDS = 128;
export const LAST_LETTER = '\u{10FFFF}';

/** The words from one ($1) up to another ($2), by a leap from each to the next; at most so many ($3). */
export const wordsLikeSql = `
  WITH RECURSIVE begun(word) AS (
    SELECT (SELECT term FROM vocabulary WHERE term >= ?1 LIMIT 1)
    UNION ALL
    SELECT (SELECT term FROM vocabulary WHERE term >= begun.word || char(1) LIMIT 1) FROM begun WHERE word < ?2
  )
  SELECT word FROM begun WHERE word < ?2 LIMIT ?3`;

type WordsLike = (beginning: string, most: number) => readonly string[];

interface Match {
  /** In the store's own language, made of words that have no sign in them which means something in it. */
  readonly match: string;
  /** Are all texts of all words that begin so put together, which takes long, before the first is given? */
  readonly together: boolean;
}

export function matchOf({ all, any, none }: Wanted, wordsLike: WordsLike): Match {
  const spelled = (term: Term) => spelledOut(term, wordsLike);
  const wished: readonly (readonly Term[])[] = [
    ...all.map(spelled),
    ...any.map((words) => words.map((word) => ({ words: [word] }))),
  ];
  const unwished = none.flatMap(spelled);
  const wish = wished.map(oneOf).join(' AND ');
  return {
    match: unwished.length === 0 ? wish : `(${wish}) NOT ${oneOf(unwished)}`,
    together: [...wished.flat(), ...unwished].some((term) => term.prefix && !isIndexed(term)),
  };
}

function spelledOut(term: Term, wordsLike: WordsLike): readonly Term[] {
  if (!term.prefix || isIndexed(term)) return [term];
  const words = wordsLike(term.words.at(-1) ?? '', MOST_WORDS + 1);
  if (words.length === 0 || words.length > MOST_WORDS) return [term];
  return words.map((word) => ({ words: [...term.words.slice(0, -1), word] }));
}

function isIndexed({ words }: Term): boolean {
  return [...(words.at(-1) ?? '')].length === INDEXED_BEGINNING;
}

function oneOf(terms: readonly Term[]): string {
  const quoted = terms.map(({ words, prefix }) => `"${words.join(' ').replaceAll('"', '""')}"${prefix ? '*' : ''}`);
  return `(${quoted.join(' OR ')})`;
}
