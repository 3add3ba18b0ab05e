import { type SearchQuery, termPositions } from './query.ts';
import { type Word, wordsIn } from './words.ts';

export interface SnippetPart {
  readonly text: string;
  readonly hit: boolean;
}

const MAX_LENGTH = 200;
const LEAD_LENGTH = 60;
/** Long texts are searched in windows of this size until one has a match (T23). */
const WINDOW = 32 * 1024;

/** How well a text matches, and the part that shows the matches. */
export interface Snippet {
  readonly parts: readonly SnippetPart[];
  /** The number of matches, and the number of words in the text. */
  readonly times: number;
  readonly length: number;
}

export function buildSnippet(text: string, query: SearchQuery): Snippet {
  if (text.length <= WINDOW) return snippetOf(text, query);
  for (let from = 0; from < text.length && query.all.length > 0; from += WINDOW - MAX_LENGTH) {
    const snippet = snippetOf(text.slice(from, from + WINDOW), query);
    if (snippet.times > 0)
      return { ...snippet, parts: addEllipses(snippet.parts, from > 0, from + WINDOW < text.length) };
  }
  return snippetOf(text.slice(0, WINDOW), query);
}

/** Adds the ellipses that a window cannot add itself, because it does not know the text around it. */
function addEllipses(parts: readonly SnippetPart[], hasBefore: boolean, hasAfter: boolean): readonly SnippetPart[] {
  const ellipsis: SnippetPart = { text: '…', hit: false };
  return [
    ...(hasBefore && parts[0]?.text !== '…' ? [ellipsis] : []),
    ...parts,
    ...(hasAfter && parts.at(-1)?.text !== '…' ? [ellipsis] : []),
  ];
}

function snippetOf(text: string, { all }: SearchQuery): Snippet {
  const words = wordsIn(text);
  const folded = words.map(({ word }) => word);
  const hits: HitRange[] = [];
  for (const term of all) {
    for (const position of termPositions(term, folded)) hits.push(hitRangeOf(words, position, term.words.length));
  }
  hits.sort((a, b) => a.start - b.start || b.end - a.end);
  return { parts: partsOf(text, hits), times: hits.length, length: words.length };
}

interface HitRange {
  readonly start: number;
  readonly end: number;
}

function hitRangeOf(words: readonly Word[], first: number, count: number): HitRange {
  return { start: (words[first] as Word).start, end: (words[first + count - 1] as Word).end };
}

function partsOf(text: string, hits: readonly HitRange[]): readonly SnippetPart[] {
  const from = snippetStart(text, densestStart(hits));
  const to = snippetEnd(text, from);
  const parts: SnippetPart[] = [];
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

/**
 * The start of the hit that is followed by the most other hits nearby: a passage with all the words says more than the
 * first match.
 */
function densestStart(hits: readonly HitRange[]): number {
  let best = hits[0]?.start ?? 0;
  let most = 0;
  let last = 0;
  for (const [first, { start }] of hits.entries()) {
    while (last < hits.length && (hits[last] as HitRange).end - start <= MAX_LENGTH - LEAD_LENGTH) last++;
    if (last - first > most) [best, most] = [start, last - first];
  }
  return best;
}

/** A little before the hit, at the beginning of a word if possible. */
function snippetStart(text: string, hit: number): number {
  if (hit <= LEAD_LENGTH) return 0;
  const space = text.slice(hit - LEAD_LENGTH, hit).search(/\s/u);
  const from = space === -1 ? hit - LEAD_LENGTH : hit - LEAD_LENGTH + space + 1;
  return isLowSurrogate(text, from) ? from - 1 : from;
}

function snippetEnd(text: string, from: number): number {
  const to = from + MAX_LENGTH;
  if (to >= text.length) return text.length;
  const cut = text.slice(from, to).search(/\s\S*$/u);
  const end = cut > MAX_LENGTH / 2 ? from + cut : to;
  return isLowSurrogate(text, end) ? end - 1 : end;
}

function isLowSurrogate(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  return unit >= 0xdc00 && unit <= 0xdfff;
}
