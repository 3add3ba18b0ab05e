import type { Term } from '../../core/search/query.ts';
import { foldedWords } from '../../core/search/words.ts';

/**
 * The port to a workspace's index of words: which text, by the position of its
 * event and its place among that event's texts, has which words. It is derived
 * from the log, keeps no text itself, and may be thrown away at any time.
 * What filters need (kind, author, thread) are words too (core/search/facets.ts).
 */
export interface SearchIndex {
  /** How far the log is in it. */
  mark(): Promise<Mark>;
  /** Adds texts and moves the mark, both or neither. False when the mark is not `from` any more: somebody was quicker. */
  put(from: Mark, to: Mark, texts: readonly IndexedText[]): Promise<boolean>;
  /** Empties it. */
  clear(): Promise<void>;
  /** Texts with a number below `under` that answer, the newest in the log first, as many as little time allows. */
  find(wanted: Wanted, under: number, limit: number): Promise<Finding>;
}

/** The newest event that is in it; its hash tells whether it is still the same log. */
export interface Mark {
  readonly position: number;
  readonly hash: string;
  /** Of `textsOf` (core/search/texts.ts). */
  readonly version: number;
}

export const NO_MARK: Mark = { position: 0, hash: '', version: 0 };

export function sameMark(one: Mark, other: Mark): boolean {
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

export function indexedWords({ facets, text }: IndexedText): readonly string[] {
  return [...facets, ...foldedWords(text)];
}

export interface Wanted {
  /** Together with `any`, at least one. */
  readonly all: readonly Term[];
  /** Of every list, one of the words must be there. */
  readonly any: readonly (readonly string[])[];
  readonly none: readonly Term[];
  /** Milliseconds since 1970: from the first on, up to the second without it. */
  readonly after?: number;
  readonly before?: number;
}

export interface Finding {
  readonly found: readonly Found[];
  /** Texts with a number below this one were not looked at; absent when all were. */
  readonly reached?: number;
}

export interface Found {
  /** Counts the texts of the index, in the order of the log. */
  readonly n: number;
  readonly position: number;
  readonly part: number;
}
