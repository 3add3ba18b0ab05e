import { type AlignedRun, align, type Effort } from './align.ts';
import { characterEnds, isContinuation, sentenceEnds, type UnitEndFinder, wordEnds } from './units.ts';

/** Identifies the diff algorithm, including its tables: any change that affects results needs a new name. */
export const DIFF_ALGORITHM = 'heddle-words-1';

export interface DiffHunk {
  readonly kind: 'equal' | 'delete' | 'insert';
  readonly text: string;
}

/** Equal parts of two texts; offsets are in UTF-16 units and never inside a character. */
export type TextMatch = AlignedRun;

interface DiffLevel {
  readonly findEnds: UnitEndFinder;
  /** If a side is longer than this, all of it counts as changed. */
  readonly maxLength: number;
  /** Whether tokens that occur once on both sides may serve as anchors. */
  readonly anchors: boolean;
  /** Shorter equal parts between changes are treated as coincidence. */
  readonly minMatch: number;
}

const SENTENCES: DiffLevel = {
  findEnds: sentenceEnds,
  maxLength: Number.POSITIVE_INFINITY,
  anchors: true,
  minMatch: 1,
};
const WORDS: DiffLevel = { findEnds: wordEnds, maxLength: 2 ** 16, anchors: true, minMatch: 1 };
const CHARACTERS: DiffLevel = { findEnds: characterEnds, maxLength: 2 ** 8, anchors: false, minMatch: 3 };
const BASE_EFFORT = 2 ** 19;
/** Block size for comparing long equal stretches. */
const BLOCK = 1024;

/** Finds unchanged characters: by sentence, then by word in changed sentences, then by character in changed words. */
export function findUnchangedParts(a: string, b: string): TextMatch[] {
  return findMatches(a, b, [SENTENCES, WORDS, CHARACTERS]);
}

/** A diff for people to read, in whole words. */
export function diffWords(a: string, b: string): DiffHunk[] {
  const hunks: DiffHunk[] = [];
  let [atA, atB] = [0, 0];
  const add = (kind: DiffHunk['kind'], text: string) => {
    if (text !== '') hunks.push({ kind, text });
  };
  const readableMatches = dropLoneSpaces(findMatches(a, b, [SENTENCES, WORDS]), a, b);
  for (const match of [...readableMatches, { a: a.length, b: b.length, length: 0 }]) {
    add('delete', a.slice(atA, match.a));
    add('insert', b.slice(atB, match.b));
    add('equal', a.slice(match.a, match.a + match.length));
    [atA, atB] = [match.a + match.length, match.b + match.length];
  }
  return hunks;
}

function findMatches(a: string, b: string, levels: readonly DiffLevel[]): TextMatch[] {
  if (a === b) return a === '' ? [] : [{ a: 0, b: 0, length: a.length }];
  const prefix = commonPrefixLength(a, b);
  const suffix = commonSuffixLength(a, b, prefix);
  const effort = { left: BASE_EFFORT + 8 * (a.length + b.length) };
  const matches: TextMatch[] = [];
  if (prefix > 0) matches.push({ a: 0, b: 0, length: prefix });
  refine(a, b, { a: prefix, aEnd: a.length - suffix, b: prefix, bEnd: b.length - suffix }, levels, effort, matches);
  if (suffix > 0) matches.push({ a: a.length - suffix, b: b.length - suffix, length: suffix });
  return mergeAdjacent(matches);
}

interface DiffRange {
  readonly a: number;
  readonly aEnd: number;
  readonly b: number;
  readonly bEnd: number;
}

/** Appends the equal parts in order. There are three levels, so the recursion is three deep. */
function refine(
  a: string,
  b: string,
  range: DiffRange,
  levels: readonly DiffLevel[],
  effort: Effort,
  matches: TextMatch[],
): void {
  const [level, ...finer] = levels;
  if (level === undefined || range.a === range.aEnd || range.b === range.bEnd) return;
  if (range.aEnd - range.a > level.maxLength || range.bEnd - range.b > level.maxLength) return;
  const endsA = [range.a, ...level.findEnds(a, range.a, range.aEnd)];
  const endsB = [range.b, ...level.findEnds(b, range.b, range.bEnd)];
  const tokenIds = new Map<string, number>();
  const weigh = (index: number) => (endsA[index + 1] as number) - (endsA[index] as number);
  const runs = align(tokenIdsOf(a, endsA, tokenIds), tokenIdsOf(b, endsB, tokenIds), weigh, effort, level.anchors);

  let [atA, atB] = [range.a, range.b];
  for (const match of mergeAdjacent(runs.map((run) => toTextMatch(run, endsA, endsB)))) {
    const isAtEdge = (match.a === range.a && match.b === range.b) || reachesEnd(match, range);
    if (match.length < level.minMatch && !isAtEdge) continue;
    refine(a, b, { a: atA, aEnd: match.a, b: atB, bEnd: match.b }, finer, effort, matches);
    matches.push(match);
    [atA, atB] = [match.a + match.length, match.b + match.length];
  }
  refine(a, b, { a: atA, aEnd: range.aEnd, b: atB, bEnd: range.bEnd }, finer, effort, matches);
}

function reachesEnd(match: TextMatch, range: DiffRange): boolean {
  return match.a + match.length === range.aEnd && match.b + match.length === range.bEnd;
}

function tokenIdsOf(text: string, ends: readonly number[], tokenIds: Map<string, number>): number[] {
  const ids: number[] = [];
  for (let i = 1; i < ends.length; i++) {
    const token = text.slice(ends[i - 1], ends[i]);
    let id = tokenIds.get(token);
    if (id === undefined) {
      id = tokenIds.size;
      tokenIds.set(token, id);
    }
    ids.push(id);
  }
  return ids;
}

function toTextMatch({ a, b, length }: AlignedRun, endsA: readonly number[], endsB: readonly number[]): TextMatch {
  const from = endsA[a] as number;
  return { a: from, b: endsB[b] as number, length: (endsA[a + length] as number) - from };
}

function mergeAdjacent(matches: readonly TextMatch[]): TextMatch[] {
  const result: TextMatch[] = [];
  for (const match of matches) {
    const last = result.at(-1);
    if (last && last.a + last.length === match.a && last.b + last.length === match.b) {
      result[result.length - 1] = { a: last.a, b: last.b, length: last.length + match.length };
    } else result.push(match);
  }
  return result;
}

/** Length of the common prefix, cut back to the start of a word. */
function commonPrefixLength(a: string, b: string): number {
  const shorter = Math.min(a.length, b.length);
  let at = 0;
  while (at + BLOCK <= shorter && a.slice(at, at + BLOCK) === b.slice(at, at + BLOCK)) at += BLOCK;
  while (at < shorter && a.charCodeAt(at) === b.charCodeAt(at)) at++;
  while (at > 0 && !(isSpaceOrNewline(a.charCodeAt(at - 1)) && !isContinuation(a, at) && !isContinuation(b, at))) at--;
  return at;
}

/** Length of the common suffix, cut back to the end of a word. */
function commonSuffixLength(a: string, b: string, prefix: number): number {
  const shorter = Math.min(a.length, b.length) - prefix;
  let length = 0;
  while (length + BLOCK <= shorter && endBlock(a, length) === endBlock(b, length)) length += BLOCK;
  while (length < shorter && a.charCodeAt(a.length - 1 - length) === b.charCodeAt(b.length - 1 - length)) length++;
  while (
    length > 0 &&
    !(
      isSpaceOrNewline(a.charCodeAt(a.length - length)) &&
      !isAfterCarriageReturn(a, length) &&
      !isAfterCarriageReturn(b, length)
    )
  ) {
    length--;
  }
  return length;
}

function endBlock(text: string, length: number): string {
  return text.slice(text.length - length - BLOCK, text.length - length);
}

function isAfterCarriageReturn(text: string, length: number): boolean {
  return text.charCodeAt(text.length - length - 1) === 0x0d;
}

function isSpaceOrNewline(unit: number): boolean {
  return unit === 0x20 || unit === 0x0a;
}

/** A space between two replaced words counts as replaced. */
function dropLoneSpaces(matches: readonly TextMatch[], a: string, b: string): TextMatch[] {
  const isReplaced = (fromA: number, toA: number, fromB: number, toB: number) => fromA < toA && fromB < toB;
  const result: TextMatch[] = [];
  matches.forEach((match, i) => {
    const last = result.at(-1) ?? { a: 0, b: 0, length: 0 };
    const next = matches[i + 1] ?? { a: a.length, b: b.length };
    const isLone =
      /^\s*$/.test(a.slice(match.a, match.a + match.length)) &&
      isReplaced(last.a + last.length, match.a, last.b + last.length, match.b) &&
      isReplaced(match.a + match.length, next.a, match.b + match.length, next.b);
    if (!isLone) result.push(match);
  });
  return result;
}
