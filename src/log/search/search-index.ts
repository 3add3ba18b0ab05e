import type { QueryTerm } from '../../core/search/query.ts';
import { foldedWords } from '../../core/search/words.ts';

/**
 * The port to a workspace's index of words: which text, by the position of its
 * event and its place among that event's texts, has which words. It is derived
 * from the log, keeps no text itself, and may be thrown away at any time.
 * What filters need (kind, author, thread) are words too (core/search/facets.ts).
 */
export interface SearchIndex {
  /** How far the log is in it. */
  mark(): Promise<IndexMark>;
  /** Adds texts and moves the mark, both or neither. False when the mark is not `from` any more: somebody was quicker. */
  put(from: IndexMark, to: IndexMark, texts: readonly IndexedText[]): Promise<boolean>;
  /** Empties it. */
  clear(): Promise<void>;
  /** Texts with a number below `below` that answer, the newest in the log first, as many as little time allows. */
  find(indexQuery: IndexQuery, below: number, limit: number): Promise<IndexPage>;
}

/** The newest event that is in it; its hash tells whether it is still the same log. */
export interface IndexMark {
  readonly position: number;
  readonly hash: string;
  /** Of `textsOf` (core/search/texts.ts). */
  readonly version: number;
}

export const EMPTY_MARK: IndexMark = { position: 0, hash: '', version: 0 };

export function isSameMark(one: IndexMark, other: IndexMark): boolean {
  return one.position === other.position && one.hash === other.hash && one.version === other.version;
}

export interface IndexedText {
  readonly position: number;
  readonly part: number;
  /** Milliseconds since 1970. */
  readonly ts: number;
  /** Words as they are: what filters go by. */
  readonly facets: readonly string[];
  /** What else is found by its words. */
  readonly text: string;
}

export function indexedWordsOf({ facets, text }: IndexedText): readonly string[] {
  return [...facets, ...foldedWords(text)];
}

export interface IndexQuery {
  /** Together with `any`, at least one. */
  readonly all: readonly QueryTerm[];
  /** Of every list, one of the words must be there. */
  readonly any: readonly (readonly string[])[];
  readonly none: readonly QueryTerm[];
  /** Milliseconds since 1970: from the first on, up to the second without it. */
  readonly after?: number;
  readonly before?: number;
}

export interface IndexPage {
  readonly hits: readonly IndexHit[];
  /** Texts with a number below this one were not looked at; absent when all were. */
  readonly reached?: number;
}

export interface IndexHit {
  /** Counts the texts of the index, in the order of the log. */
  readonly n: number;
  readonly position: number;
  readonly part: number;
}
