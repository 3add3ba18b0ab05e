import {
  type AttributedText,
  type EarlierText,
  type ReusedSpan,
  reusedOrRestoredSpans,
  reusedSpans,
  type Span,
} from './reuse.ts';

/* Who wrote which character (W15). */
export type { AttributedText, Span } from './reuse.ts';

export function singleAuthorSpans(author: string, text: string): readonly Span[] {
  return text === '' ? [] : [{ from: 0, to: text.length, author }];
}

/** Spans of a text that `editor` made from `earlier[0]`; the other entries are its ancestors, nearest first. */
export function spansAfterEdit(earlier: readonly EarlierText[], text: string, editor: string): readonly Span[] {
  return spansOfParts(reusedSpans(earlier, text), earlier, text, editor);
}

/** Like `spansAfterEdit`, but for display: text that is back as a model wrote it is credited to the model (W30). */
export function shownSpans(earlier: readonly EarlierText[], text: string, editor: string): readonly Span[] {
  return spansOfParts(reusedOrRestoredSpans(earlier, text, editor), earlier, text, editor);
}

function spansOfParts(
  reused: readonly ReusedSpan[],
  earlier: readonly EarlierText[],
  text: string,
  editor: string,
): readonly Span[] {
  const parts: Span[] = [];
  let at = 0;
  for (const { from, to, of, start } of reused) {
    if (at < from) parts.push({ from: at, to: from, author: editor });
    for (const span of sliceSpans((earlier[of] as EarlierText).spans, start, start + to - from)) {
      parts.push({ ...span, from: from + span.from, to: from + span.to });
    }
    at = to;
  }
  if (at < text.length) parts.push({ from: at, to: text.length, author: editor });
  return mergeAdjacent(parts);
}

/** The spans of a part of a text, relative to its start: for a split (W20), or a part copied from a sibling. */
export function sliceSpans(spans: readonly Span[], from: number, to: number): readonly Span[] {
  const slice: Span[] = [];
  for (let i = firstAfter(spans, from); i < spans.length && (spans[i] as Span).from < to; i++) {
    const span = spans[i] as Span;
    slice.push({ from: Math.max(span.from, from) - from, to: Math.min(span.to, to) - from, author: span.author });
  }
  return slice;
}

/** The spans of texts put one after the other: for a merge (W20). */
export function concatSpans(texts: readonly AttributedText[]): readonly Span[] {
  let start = 0;
  const parts: Span[] = [];
  for (const { text, spans } of texts) {
    for (const { from, to, author } of spans) parts.push({ from: start + from, to: start + to, author });
    start += text.length;
  }
  return mergeAdjacent(parts);
}

/** The first span that ends behind `at`. */
function firstAfter(spans: readonly Span[], at: number): number {
  let [low, high] = [0, spans.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((spans[middle] as Span).to > at) high = middle;
    else low = middle + 1;
  }
  return low;
}

function mergeAdjacent(parts: readonly Span[]): readonly Span[] {
  const merged: Span[] = [];
  for (const part of parts) {
    const last = merged.at(-1);
    if (last && last.to === part.from && last.author === part.author)
      merged[merged.length - 1] = { ...last, to: part.to };
    else merged.push(part);
  }
  return merged;
}
