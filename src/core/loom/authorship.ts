import { unchangedParts } from '../text-diff.ts';

/* Who wrote which character (W15). Spans of a text follow one another without gap or overlap and cover all of it. */
export interface Span {
  readonly from: number;
  readonly to: number;
  readonly author: string;
}

export interface Attributed {
  readonly text: string;
  readonly spans: readonly Span[];
}

export function writtenBy(author: string, text: string): readonly Span[] {
  return text === '' ? [] : [{ from: 0, to: text.length, author }];
}

/**
 * `parent` is what was edited; `ancestors` is what that came from, the nearest first. A text that is back to one of
 * them is theirs again.
 */
export function spansAfterEdit(
  parent: Attributed,
  text: string,
  editor: string,
  ancestors: Iterable<Attributed> = [],
): readonly Span[] {
  if (text === parent.text) return parent.spans;
  for (const ancestor of ancestors) if (text === ancestor.text) return ancestor.spans;
  const parts: Span[] = [];
  let [at, seen] = [0, 0];
  for (const { a, b, length } of unchangedParts(parent.text, text)) {
    if (at < b) parts.push({ from: at, to: b, author: editor });
    while (seen < parent.spans.length && (parent.spans[seen] as Span).to <= a) seen++;
    for (let i = seen; i < parent.spans.length && (parent.spans[i] as Span).from < a + length; i++) {
      const { from, to, author } = parent.spans[i] as Span;
      parts.push({ from: Math.max(from, a) - a + b, to: Math.min(to, a + length) - a + b, author });
    }
    at = b + length;
  }
  if (at < text.length) parts.push({ from: at, to: text.length, author: editor });
  return joined(parts);
}

/** The spans of a part of a text, counted from its start: for a split (W20), or a part that is taken over. */
export function sliceSpans(spans: readonly Span[], from: number, to: number): readonly Span[] {
  return spans
    .filter((span) => span.to > from && span.from < to)
    .map((span) => ({ from: Math.max(span.from, from) - from, to: Math.min(span.to, to) - from, author: span.author }));
}

/** The spans of texts put one after the other: for a merge (W20). */
export function concatSpans(texts: readonly Attributed[]): readonly Span[] {
  let start = 0;
  const parts: Span[] = [];
  for (const { text, spans } of texts) {
    for (const { from, to, author } of spans) parts.push({ from: start + from, to: start + to, author });
    start += text.length;
  }
  return joined(parts);
}

function joined(parts: readonly Span[]): readonly Span[] {
  const found: Span[] = [];
  for (const part of parts) {
    const last = found.at(-1);
    if (last && last.to === part.from && last.author === part.author)
      found[found.length - 1] = { ...last, to: part.to };
    else found.push(part);
  }
  return found;
}
