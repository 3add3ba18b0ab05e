import { type Refusal, refuse } from '../refusal.ts';
import { foldedWords } from './words.ts';

/** Consecutive words; with `prefix`, the last one only needs to match the beginning of a word. */
export interface QueryTerm {
  readonly words: readonly string[];
  readonly prefix?: true;
}

/** Terms that a text must contain, and terms it must not contain. */
export interface SearchQuery {
  readonly all: readonly QueryTerm[];
  readonly none: readonly QueryTerm[];
}

export const MAX_QUERY_LENGTH = 500;
const MAX_TERMS = 32;
/** Maximum number of words in a phrase: a longer one would be compared at every place of a repetitive text (T23). */
const MAX_PHRASE_WORDS = 16;
/** Shorter prefixes match almost everywhere, so they are treated as whole words. */
const MIN_PREFIX_LENGTH = 3;
const TERM_PATTERN = /(-?)(?:"([^"]*)"?|([^\s"]+))(\*?)/gu;

/**
 * Parses `words`, `"words in a row"`, `-not`, `begin*`. Any input is valid and is read as words; nothing in it is
 * passed on as the query language of a store.
 */
export function parseQuery(text: string): SearchQuery {
  const all: QueryTerm[] = [];
  const none: QueryTerm[] = [];
  for (const [, minus, quoted, bare = '', star] of text.slice(0, MAX_QUERY_LENGTH).matchAll(TERM_PATTERN)) {
    const words = foldedWords(quoted ?? bare).slice(0, MAX_PHRASE_WORDS);
    if (words.length === 0 || all.length + none.length === MAX_TERMS) continue;
    const isOpen = quoted === undefined ? bare.endsWith('*') : star === '*';
    const prefix = isOpen && (words.at(-1) as string).length >= MIN_PREFIX_LENGTH;
    (minus === '-' ? none : all).push({ words, ...(prefix && { prefix }) });
  }
  return { all, none };
}

/** Refuses a query that cannot be answered. */
export function checkQuery({ all, none }: SearchQuery, hasFilter: boolean): Refusal | undefined {
  if (all.length > 0 || hasFilter) return undefined;
  const problem = none.length > 0 ? 'only excludes words' : 'contains no words';
  return refuse('malformed', `The search ${problem}. Give at least one word, or a filter such as a kind or an author.`);
}

/** The positions of a term in these words: the index of its first word, for each match. */
export function termPositions({ words, prefix }: QueryTerm, text: readonly string[]): readonly number[] {
  const positions: number[] = [];
  const last = words.length - 1;
  for (let i = 0; i + last < text.length; i++) {
    const isMatch = words.every((word, k) =>
      prefix && k === last ? (text[i + k] as string).startsWith(word) : text[i + k] === word,
    );
    if (isMatch) positions.push(i);
  }
  return positions;
}
