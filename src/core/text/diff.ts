import { align, type Effort, type Run } from './align.ts';
import { type Cut, characterEnds, continues, sentenceEnds, wordEnds } from './units.ts';

/** Names the way differences are found, tables included: whatever changes a result changes the name. */
export const DIFF = 'heddle-words-1';

export interface Hunk {
  readonly kind: 'equal' | 'delete' | 'insert';
  readonly text: string;
}

/** Equal parts of two texts; offsets in each, in UTF-16 units, never within a character. */
export type Match = Run;

interface Level {
  readonly cut: Cut;
  /** A side longer than this counts as changed whole. */
  readonly longest: number;
  /** Whether what occurs once on both sides may hold them together. */
  readonly anchors: boolean;
  /** Shorter equal parts between changes are chance. */
  readonly least: number;
}

const SENTENCES: Level = { cut: sentenceEnds, longest: Number.POSITIVE_INFINITY, anchors: true, least: 1 };
const WORDS: Level = { cut: wordEnds, longest: 2 ** 16, anchors: true, least: 1 };
const CHARACTERS: Level = { cut: characterEnds, longest: 2 ** 8, anchors: false, least: 3 };
const EFFORT = 2 ** 19;
/** Long equal stretches are compared this much at a time. */
const BLOCK = 1024;

/** What stayed, character by character: by sentences, within changed ones by words, within changed words by characters. */
export function unchangedParts(a: string, b: string): Match[] {
  return compare(a, b, [SENTENCES, WORDS, CHARACTERS]);
}

/** A difference for people to read, in whole words. */
export function diffWords(a: string, b: string): Hunk[] {
  const hunks: Hunk[] = [];
  let [atA, atB] = [0, 0];
  const add = (kind: Hunk['kind'], text: string) => {
    if (text !== '') hunks.push({ kind, text });
  };
  const readable = withoutLoneSpaces(compare(a, b, [SENTENCES, WORDS]), a, b);
  for (const match of [...readable, { a: a.length, b: b.length, length: 0 }]) {
    add('delete', a.slice(atA, match.a));
    add('insert', b.slice(atB, match.b));
    add('equal', a.slice(match.a, match.a + match.length));
    [atA, atB] = [match.a + match.length, match.b + match.length];
  }
  return hunks;
}

function compare(a: string, b: string, levels: readonly Level[]): Match[] {
  if (a === b) return a === '' ? [] : [{ a: 0, b: 0, length: a.length }];
  const before = equalStart(a, b);
  const behind = equalEnd(a, b, before);
  const effort = { left: EFFORT + 8 * (a.length + b.length) };
  const matches: Match[] = [];
  if (before > 0) matches.push({ a: 0, b: 0, length: before });
  refine(a, b, { a: before, aEnd: a.length - behind, b: before, bEnd: b.length - behind }, levels, effort, matches);
  if (behind > 0) matches.push({ a: a.length - behind, b: b.length - behind, length: behind });
  return merged(matches);
}

interface Part {
  readonly a: number;
  readonly aEnd: number;
  readonly b: number;
  readonly bEnd: number;
}

/** Appends in order what is equal within the part; there are three levels, so this goes three deep. */
function refine(a: string, b: string, part: Part, levels: readonly Level[], effort: Effort, matches: Match[]): void {
  const [level, ...finer] = levels;
  if (level === undefined || part.a === part.aEnd || part.b === part.bEnd) return;
  if (part.aEnd - part.a > level.longest || part.bEnd - part.b > level.longest) return;
  const endsA = [part.a, ...level.cut(a, part.a, part.aEnd)];
  const endsB = [part.b, ...level.cut(b, part.b, part.bEnd)];
  const numbers = new Map<string, number>();
  const weigh = (index: number) => (endsA[index + 1] as number) - (endsA[index] as number);
  const runs = align(numbered(a, endsA, numbers), numbered(b, endsB, numbers), weigh, effort, level.anchors);

  let [atA, atB] = [part.a, part.b];
  for (const match of merged(runs.map((run) => inText(run, endsA, endsB)))) {
    const atAnEdge = (match.a === part.a && match.b === part.b) || ends(match, part);
    if (match.length < level.least && !atAnEdge) continue;
    refine(a, b, { a: atA, aEnd: match.a, b: atB, bEnd: match.b }, finer, effort, matches);
    matches.push(match);
    [atA, atB] = [match.a + match.length, match.b + match.length];
  }
  refine(a, b, { a: atA, aEnd: part.aEnd, b: atB, bEnd: part.bEnd }, finer, effort, matches);
}

function ends(match: Match, part: Part): boolean {
  return match.a + match.length === part.aEnd && match.b + match.length === part.bEnd;
}

function numbered(text: string, ends: readonly number[], numbers: Map<string, number>): number[] {
  const found: number[] = [];
  for (let i = 1; i < ends.length; i++) {
    const token = text.slice(ends[i - 1], ends[i]);
    let number = numbers.get(token);
    if (number === undefined) {
      number = numbers.size;
      numbers.set(token, number);
    }
    found.push(number);
  }
  return found;
}

function inText({ a, b, length }: Run, endsA: readonly number[], endsB: readonly number[]): Match {
  const from = endsA[a] as number;
  return { a: from, b: endsB[b] as number, length: (endsA[a + length] as number) - from };
}

function merged(matches: readonly Match[]): Match[] {
  const found: Match[] = [];
  for (const match of matches) {
    const last = found.at(-1);
    if (last && last.a + last.length === match.a && last.b + last.length === match.b) {
      found[found.length - 1] = { a: last.a, b: last.b, length: last.length + match.length };
    } else found.push(match);
  }
  return found;
}

/** How far both begin alike, back to the start of a word. */
function equalStart(a: string, b: string): number {
  const shorter = Math.min(a.length, b.length);
  let at = 0;
  while (at + BLOCK <= shorter && a.slice(at, at + BLOCK) === b.slice(at, at + BLOCK)) at += BLOCK;
  while (at < shorter && a.charCodeAt(at) === b.charCodeAt(at)) at++;
  while (at > 0 && !(isGap(a.charCodeAt(at - 1)) && !continues(a, at) && !continues(b, at))) at--;
  return at;
}

/** How far both end alike, on to the end of a word. */
function equalEnd(a: string, b: string, before: number): number {
  const shorter = Math.min(a.length, b.length) - before;
  let length = 0;
  while (length + BLOCK <= shorter && endBlock(a, length) === endBlock(b, length)) length += BLOCK;
  while (length < shorter && a.charCodeAt(a.length - 1 - length) === b.charCodeAt(b.length - 1 - length)) length++;
  while (
    length > 0 &&
    !(isGap(a.charCodeAt(a.length - length)) && !afterReturn(a, length) && !afterReturn(b, length))
  ) {
    length--;
  }
  return length;
}

function endBlock(text: string, length: number): string {
  return text.slice(text.length - length - BLOCK, text.length - length);
}

function afterReturn(text: string, length: number): boolean {
  return text.charCodeAt(text.length - length - 1) === 0x0d;
}

function isGap(unit: number): boolean {
  return unit === 0x20 || unit === 0x0a;
}

/** A space between two words that were both replaced is part of what was replaced. */
function withoutLoneSpaces(matches: readonly Match[], a: string, b: string): Match[] {
  const replaced = (fromA: number, toA: number, fromB: number, toB: number) => fromA < toA && fromB < toB;
  const found: Match[] = [];
  matches.forEach((match, i) => {
    const last = found.at(-1) ?? { a: 0, b: 0, length: 0 };
    const next = matches[i + 1] ?? { a: a.length, b: b.length };
    const lone =
      /^\s*$/.test(a.slice(match.a, match.a + match.length)) &&
      replaced(last.a + last.length, match.a, last.b + last.length, match.b) &&
      replaced(match.a + match.length, next.a, match.b + match.length, next.b);
    if (!lone) found.push(match);
  });
  return found;
}
