/*
 * Boundaries where a text may be cut: between sentences, words, or characters as people see them. The tables are our
 * own and fixed: those of an engine change with its Unicode version, and a diff must be the same everywhere.
 */
export type UnitEndFinder = (text: string, from: number, to: number) => number[];

type CharKind = 'space' | 'word' | 'single';

/** The end of each sentence or line, including the space or line feed after it. */
export function sentenceEnds(text: string, from: number, to: number): number[] {
  const ends: number[] = [];
  for (let at = from; at < to; at++) {
    const unit = text.charCodeAt(at);
    if (unit === 0x20 ? !isPunctuation(text.charCodeAt(at - 1)) : unit !== 0x0a && unit !== 0x3002) continue;
    if (at + 1 < to && !isContinuation(text, at + 1)) ends.push(at + 1);
  }
  if (from < to) ends.push(to);
  return ends;
}

/** The end of each word, run of white space, or other character. */
export function wordEnds(text: string, from: number, to: number): number[] {
  const ends: number[] = [];
  let last: CharKind = 'single';
  for (let at = from; at < to; ) {
    const end = Math.min(characterEnd(text, at), to);
    let kind = charKindAt(text, at);
    if (isApostrophe(text.charCodeAt(at)) && last === 'word' && end < to && charKindAt(text, end) === 'word')
      kind = 'word';
    if (kind !== 'single' && kind === last) ends[ends.length - 1] = end;
    else ends.push(end);
    last = kind;
    at = end;
  }
  return ends;
}

export function characterEnds(text: string, from: number, to: number): number[] {
  const ends: number[] = [];
  for (let at = from; at < to; ) {
    at = Math.min(characterEnd(text, at), to);
    ends.push(at);
  }
  return ends;
}

/** Whether the code unit at `at` continues the character before it. */
export function isContinuation(text: string, at: number): boolean {
  return (text.charCodeAt(at) & 0xfc00) === 0xdc00 || extendsCharacter(text.codePointAt(at) ?? 0);
}

function characterEnd(text: string, at: number): number {
  // Fast path: most text is plain letters followed by plain letters.
  if (text.charCodeAt(at) < 0x300 && text.charCodeAt(at) !== 0x0d && text.charCodeAt(at + 1) < 0x300) return at + 1;
  const first = text.codePointAt(at) ?? 0;
  let end = at + unitLength(first);
  if (first === 0x0d && text.charCodeAt(end) === 0x0a) return end + 1;
  if (isFlagLetter(first) && isFlagLetter(text.codePointAt(end) ?? 0)) end += 2;
  for (let next = text.codePointAt(end); next !== undefined; next = text.codePointAt(end)) {
    const isJoined = text.charCodeAt(end - 1) === 0x200d && charKindOf(next) !== 'space';
    if (!isJoined && !extendsCharacter(next)) return end;
    end += unitLength(next);
  }
  return end;
}

function charKindAt(text: string, at: number): CharKind {
  return charKindOf(text.codePointAt(at) ?? 0);
}

function charKindOf(code: number): CharKind {
  if (code < 0x80) {
    if (code === 0x20 || (code >= 0x09 && code <= 0x0d)) return 'space';
    const isLetter = (code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a;
    return isLetter || (code >= 0x30 && code <= 0x39) || code === 0x5f ? 'word' : 'single';
  }
  if (code === 0xa0 || (code >= 0x2000 && code <= 0x200a) || code === 0x202f || code === 0x3000) return 'space';
  return isInRanges(SINGLE_RANGES, code) ? 'single' : 'word';
}

function extendsCharacter(code: number): boolean {
  if (code < 0x300) return false;
  if (code >= 0x900 && code < 0xe00) return isInRanges(INDIC_SIGN_RANGES, code & 0x7f);
  return isInRanges(MARK_RANGES, code);
}

function isInRanges(table: readonly number[], code: number): boolean {
  for (let i = 0; i < table.length; i += 2) {
    if (code < (table[i] ?? 0)) return false;
    if (code <= (table[i + 1] ?? 0)) return true;
  }
  return false;
}

function isPunctuation(unit: number): boolean {
  return unit === 0x2e || unit === 0x2c || unit === 0x3b || unit === 0x3a || unit === 0x21 || unit === 0x3f;
}

function isApostrophe(unit: number): boolean {
  return unit === 0x27 || unit === 0x2019;
}

function isFlagLetter(code: number): boolean {
  return code >= 0x1f1e6 && code <= 0x1f1ff;
}

function unitLength(code: number): number {
  return code > 0xffff ? 2 : 1;
}

/** First and last code point of each range: punctuation, symbols, pictures, and scripts written without spaces. */
const SINGLE_RANGES = [
  ...[0x80, 0xa9, 0xab, 0xb4, 0xb6, 0xb9, 0xbb, 0xbf, 0x2010, 0x2bff, 0x2e00, 0x30ff, 0x3130, 0x33ff, 0x3400, 0x9fff],
  ...[0xf900, 0xfaff, 0xfe10, 0xfe1f, 0xfe30, 0xfe6f, 0xff00, 0xffef, 0x1f000, 0x1fbff, 0x20000, 0x3ffff],
];

/** Combining marks, joiners, variation selectors, skin tones and tags. */
const MARK_RANGES = [
  ...[0x300, 0x36f, 0x483, 0x489, 0x591, 0x5bd, 0x5bf, 0x5bf, 0x5c1, 0x5c2, 0x5c4, 0x5c5, 0x5c7, 0x5c7, 0x610, 0x61a],
  ...[0x64b, 0x65f, 0x670, 0x670, 0x6d6, 0x6dc, 0x6df, 0x6e4, 0x6e7, 0x6e8, 0x6ea, 0x6ed, 0x711, 0x711, 0x730, 0x74a],
  ...[0x7a6, 0x7b0, 0xe31, 0xe31, 0xe34, 0xe3a, 0xe47, 0xe4e, 0xeb1, 0xeb1, 0xeb4, 0xebc, 0xec8, 0xece, 0xf71, 0xf84],
  ...[0xf8d, 0xfbc, 0x102b, 0x103e, 0x1056, 0x1059, 0x1160, 0x11ff, 0x135d, 0x135f, 0x17b4, 0x17d3],
  ...[0x1ab0, 0x1aff, 0x1dc0, 0x1dff, 0x200c, 0x200d, 0x20d0, 0x20ff, 0x3099, 0x309a, 0xfe00, 0xfe0f, 0xfe20, 0xfe2f],
  ...[0x1f3fb, 0x1f3ff, 0xe0020, 0xe007f, 0xe0100, 0xe01ef],
];

/** Offsets within each of the Indic blocks, which share one layout. */
const INDIC_SIGN_RANGES = [0x00, 0x03, 0x3a, 0x3c, 0x3e, 0x4f, 0x51, 0x57, 0x62, 0x63];
