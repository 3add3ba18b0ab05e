import { type Refusal, refuse } from '../refusal.ts';
import { foldedWords } from './words.ts';

/** Words in a row; of the last one the beginning is enough where it is a prefix. */
export interface Term {
  readonly words: readonly string[];
  readonly prefix?: true;
}

/** What a text must have, and must not have. */
export interface Query {
  readonly all: readonly Term[];
  readonly none: readonly Term[];
}

export const MAX_QUERY = 500;
const MOST_TERMS = 32;
/** Of words in a row so many count: more would be looked for at every place of a text that repeats itself (T23). */
const LONGEST_ROW = 16;
/** What begins with fewer letters stands almost everywhere: those are taken for the whole word. */
const SHORTEST_BEGINNING = 3;
const PART = /(-?)(?:"([^"]*)"?|([^\s"]+))(\*?)/gu;

/**
 * `words`, `"words in a row"`, `-not`, `begin*`. Whatever is typed is read as
 * words: nothing in it is a mistake, and nothing of it is the language of a store.
 */
export function readQuery(text: string): Query {
  const all: Term[] = [];
  const none: Term[] = [];
  for (const [, minus, quoted, bare = '', star] of text.slice(0, MAX_QUERY).matchAll(PART)) {
    const words = foldedWords(quoted ?? bare).slice(0, LONGEST_ROW);
    if (words.length === 0 || all.length + none.length === MOST_TERMS) continue;
    const open = quoted === undefined ? bare.endsWith('*') : star === '*';
    const prefix = open && (words.at(-1) as string).length >= SHORTEST_BEGINNING;
    (minus === '-' ? none : all).push({ words, ...(prefix && { prefix }) });
  }
  return { all, none };
}

/** Why a query cannot be answered, in a sentence; undefined when it can. */
export function unanswerable({ all, none }: Query, filtered: boolean): Refusal | undefined {
  if (all.length > 0 || filtered) return undefined;
  const what = none.length > 0 ? 'only says what must not be there' : 'has no word in it';
  return refuse(
    'malformed',
    `What to look for ${what}. Give at least one word, or a filter such as a kind or an author.`,
  );
}

/** Where in these words a term stands: the index of its first word, each time. */
export function placesOf({ words, prefix }: Term, text: readonly string[]): readonly number[] {
  const places: number[] = [];
  const last = words.length - 1;
  for (let i = 0; i + last < text.length; i++) {
    const met = words.every((word, k) =>
      prefix && k === last ? (text[i + k] as string).startsWith(word) : text[i + k] === word,
    );
    if (met) places.push(i);
  }
  return places;
}
