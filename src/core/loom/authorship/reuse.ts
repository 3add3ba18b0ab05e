import { findUnchangedParts } from '../../text/diff.ts';

/** The spans of a text cover all of it without gap or overlap. An author is a kind and a name: `model small`. */
export interface Span {
  readonly from: number;
  readonly to: number;
  readonly author: string;
}

export interface AttributedText {
  readonly text: string;
  readonly spans: readonly Span[];
}

/** An ancestor of a text, attributed as its editors left it (`spansAfterEdit`). */
export interface EarlierText extends AttributedText {
  /** The node added new text: it is the first at its place, by a model, or contains a span taken from a sibling. */
  readonly isSource?: boolean;
  /** The text is at another place, which was split or merged; an equal text does not count as a return to it. */
  readonly isElsewhere?: boolean;
}

/** A part of a text that also occurs in an earlier one: the index `of` that text, and the `start` there. */
export interface ReusedSpan {
  readonly from: number;
  readonly to: number;
  readonly of: number;
  readonly start: number;
}

/** The number of texts to compare besides the edited one: the nearest ones and the very first. */
const MAX_SOURCES = 3;

/** The parts an edit kept: all of a text that equals an earlier one, else the parts unchanged from `earlier[0]`. */
export function reusedSpans(earlier: readonly EarlierText[], text: string): readonly ReusedSpan[] {
  const equalIndex = indexOfEqualText(earlier, text);
  if (equalIndex >= 0) return [{ from: 0, to: text.length, of: equalIndex, start: 0 }].filter(({ to }) => to > 0);
  return findUnchangedParts(earlier[0]?.text ?? '', text).map(({ a, b, length }) => {
    return { from: b, to: b + length, of: 0, start: a };
  });
}

/** Like `reusedSpans`, and also finds text that is back as a model wrote it, whatever edits came between (W30). */
export function reusedOrRestoredSpans(
  earlier: readonly EarlierText[],
  text: string,
  editor: string,
): readonly ReusedSpan[] {
  const reused = reusedSpans(earlier, text);
  // The text's direct ancestor has already been compared with it.
  const sources = modelSourcesIn(earlier, indexOfEqualText(earlier, text) + 2);
  return sources.length === 0 ? reused : withModelSpans(earlier, reused, sources, text, isModelAuthor(editor));
}

function indexOfEqualText(earlier: readonly EarlierText[], text: string): number {
  return earlier.findLastIndex((each) => !each.isElsewhere && each.text === text);
}

function modelSourcesIn(earlier: readonly EarlierText[], first: number): readonly number[] {
  const indexes: number[] = [];
  for (let i = first; i < earlier.length; i++) {
    const { isSource, spans } = earlier[i] as EarlierText;
    if (isSource && spans.some(({ author }) => isModelAuthor(author))) indexes.push(i);
  }
  return indexes.length <= MAX_SOURCES ? indexes : [...indexes.slice(0, MAX_SOURCES - 1), indexes.at(-1) as number];
}

/** Works character by character: the source of each, and whether a model wrote it. */
function withModelSpans(
  earlier: readonly EarlierText[],
  reused: readonly ReusedSpan[],
  sources: readonly number[],
  text: string,
  isModelEditor: boolean,
): readonly ReusedSpan[] {
  const of = new Int32Array(text.length).fill(-1);
  const start = new Int32Array(text.length);
  const isModelUnit = new Uint8Array(text.length).fill(isModelEditor ? 1 : 0);
  const claim = (from: number, to: number, source: number, shift: number, isModel: boolean) => {
    for (let i = from; i < to; i++) {
      if (isModel && isModelUnit[i] === 1) continue;
      of[i] = source;
      start[i] = i + shift;
      isModelUnit[i] = isModel ? 1 : 0;
    }
  };
  const claimModelSpans = ({ from, to, of: source, start: at }: ReusedSpan) => {
    for (const span of (earlier[source] as EarlierText).spans) {
      if (!isModelAuthor(span.author) || span.to <= at) continue;
      if (span.from >= at + to - from) return;
      const shift = at - from;
      claim(Math.max(from, span.from - shift), Math.min(to, span.to - shift), source, shift, true);
    }
  };
  for (const { from, to, of: source, start: at } of reused) claim(from, to, source, at - from, false);
  for (const part of reused) claimModelSpans(part);
  for (const source of sources) {
    if (!isModelUnit.includes(0)) break;
    for (const { a, b, length } of findUnchangedParts((earlier[source] as EarlierText).text, text)) {
      claimModelSpans({ from: b, to: b + length, of: source, start: a });
    }
  }
  return runsOf(of, start);
}

function runsOf(of: Int32Array, start: Int32Array): readonly ReusedSpan[] {
  const runs: ReusedSpan[] = [];
  for (let from = 0; from < of.length; ) {
    let to = from + 1;
    while (to < of.length && of[to] === of[from] && (of[from] === -1 || start[to] === (start[to - 1] as number) + 1))
      to++;
    if (of[from] !== -1) runs.push({ from, to, of: of[from] as number, start: start[from] as number });
    from = to;
  }
  return runs;
}

function isModelAuthor(author: string): boolean {
  return author.startsWith('model ');
}
