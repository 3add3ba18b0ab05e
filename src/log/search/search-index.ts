import type { QueryTerm } from '../../core/search/query.ts';
import { foldedWords } from '../../core/search/words.ts';

/**
 * The port to a workspace's word index, which maps words to texts. A text is identified by the position of its event
 * and its place among that event's texts. The index is derived from the log, keeps no text itself, and may be deleted
 * at any time. Filter values (kind, author, thread) are words too (core/search/facets.ts).
 */
export interface SearchIndex {
  /** How far the log is indexed. */
  mark(): Promise<IndexMark>;
  /**
   * Adds texts and moves the mark, both or neither. False if the mark is no longer `from`: another process was
   * faster.
   */
  put(from: IndexMark, to: IndexMark, texts: readonly IndexedText[]): Promise<boolean>;
  /** Empties the index. */
  clear(): Promise<void>;
  /** Matching texts with a number below `below`, newest in the log first, as many as a short time limit allows. */
  find(indexQuery: IndexQuery, below: number, limit: number): Promise<IndexPage>;
}

/** The newest indexed event; its hash shows whether this is still the same log. */
export interface IndexMark {
  readonly position: number;
  readonly hash: string;
  /** The version of `textsOf` (core/search/texts.ts). */
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
  /** Exact words, used by filters. */
  readonly facets: readonly string[];
  /** The text to search. */
  readonly text: string;
}

export function indexedWordsOf({ facets, text }: IndexedText): readonly string[] {
  return [...facets, ...foldedWords(text)];
}

export interface IndexQuery {
  /** `all` and `any` together have at least one term. */
  readonly all: readonly QueryTerm[];
  /** At least one word of every list must match. */
  readonly any: readonly (readonly string[])[];
  readonly none: readonly QueryTerm[];
  /** Milliseconds since 1970: `after` is inclusive, `before` exclusive. */
  readonly after?: number;
  readonly before?: number;
}

export interface IndexPage {
  readonly hits: readonly IndexHit[];
  /** Texts with a number below this one were not searched; absent if all were. */
  readonly reached?: number;
}

export interface IndexHit {
  /** The number of the text in the index, counted in log order. */
  readonly n: number;
  readonly position: number;
  readonly part: number;
}
