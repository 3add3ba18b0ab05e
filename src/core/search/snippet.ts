import { placesOf, type Query } from './query.ts';
import { type Word, wordsIn } from './words.ts';

export interface Part {
  readonly text: string;
  readonly hit: boolean;
}

const LENGTH = 200;
const BEFORE = 60;
/** A long text is looked at so much at a time, until something is found in it (T23). */
const WINDOW = 32 * 1024;

/** How well a text answers, and the part of it that shows so. */
export interface Shown {
  readonly parts: readonly Part[];
  /** How many times its terms stand in it, and how many words it has. */
  readonly times: number;
  readonly length: number;
}

export function show(text: string, query: Query): Shown {
  if (text.length <= WINDOW) return showAll(text, query);
  for (let from = 0; from < text.length && query.all.length > 0; from += WINDOW - LENGTH) {
    const shown = showAll(text.slice(from, from + WINDOW), query);
    if (shown.times > 0) return { ...shown, parts: withEnds(shown.parts, from > 0, from + WINDOW < text.length) };
  }
  return showAll(text.slice(0, WINDOW), query);
}

/** A window does not know that the text goes on. */
function withEnds(parts: readonly Part[], before: boolean, behind: boolean): readonly Part[] {
  const dots: Part = { text: '…', hit: false };
  return [
    ...(before && parts[0]?.text !== '…' ? [dots] : []),
    ...parts,
    ...(behind && parts.at(-1)?.text !== '…' ? [dots] : []),
  ];
}

function showAll(text: string, { all }: Query): Shown {
  const words = wordsIn(text);
  const folded = words.map(({ word }) => word);
  const hits: Hit[] = [];
  for (const term of all) {
    for (const place of placesOf(term, folded)) hits.push(spanOf(words, place, term.words.length));
  }
  hits.sort((a, b) => a.start - b.start || b.end - a.end);
  return { parts: partsOf(text, hits), times: hits.length, length: words.length };
}

interface Hit {
  readonly start: number;
  readonly end: number;
}

function spanOf(words: readonly Word[], first: number, count: number): Hit {
  return { start: (words[first] as Word).start, end: (words[first + count - 1] as Word).end };
}

function partsOf(text: string, hits: readonly Hit[]): readonly Part[] {
  const from = beginning(text, densest(hits));
  const to = ending(text, from);
  const parts: Part[] = [];
  let at = from;
  if (from > 0) parts.push({ text: '…', hit: false });
  for (const { start, end } of hits) {
    if (start < at || start >= to) continue;
    if (start > at) parts.push({ text: text.slice(at, start), hit: false });
    at = Math.min(end, to);
    parts.push({ text: text.slice(start, at), hit: true });
  }
  if (at < to) parts.push({ text: text.slice(at, to), hit: false });
  if (to < text.length) parts.push({ text: '…', hit: false });
  return parts.map((part) => ({ ...part, text: part.text.toWellFormed() }));
}

/** The hit from which on most others are near: a passage with all the words says more than the first of them. */
function densest(hits: readonly Hit[]): number {
  let best = hits[0]?.start ?? 0;
  let most = 0;
  let last = 0;
  for (const [first, { start }] of hits.entries()) {
    while (last < hits.length && (hits[last] as Hit).end - start <= LENGTH - BEFORE) last++;
    if (last - first > most) [best, most] = [start, last - first];
  }
  return best;
}

/** A little before the hit, at the beginning of a word if one is near. */
function beginning(text: string, hit: number): number {
  if (hit <= BEFORE) return 0;
  const space = text.slice(hit - BEFORE, hit).search(/\s/u);
  const from = space === -1 ? hit - BEFORE : hit - BEFORE + space + 1;
  return isLow(text, from) ? from - 1 : from;
}

function ending(text: string, from: number): number {
  const to = from + LENGTH;
  if (to >= text.length) return text.length;
  const cut = text.slice(from, to).search(/\s\S*$/u);
  const end = cut > LENGTH / 2 ? from + cut : to;
  return isLow(text, end) ? end - 1 : end;
}

function isLow(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  return unit >= 0xdc00 && unit <= 0xdfff;
}
