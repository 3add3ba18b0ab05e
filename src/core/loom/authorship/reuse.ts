import { unchangedParts } from '../../text/diff.ts';

/** Spans of a text follow one another without gap or overlap and cover all of it; an author is kind and name: `model small`. */
export interface Span {
  readonly from: number;
  readonly to: number;
  readonly author: string;
}

export interface Attributed {
  readonly text: string;
  readonly spans: readonly Span[];
}

/** A text that another was made of, with who wrote it as its editors left it (`spansAfterEdit`). */
export interface Earlier extends Attributed {
  /** It brought text of its own: the first of its place, a model's, or one with something taken in. */
  readonly isSource?: boolean;
  /** It stands at another place, which was divided or merged: a text that is equal to it is not it. */
  readonly isElsewhere?: boolean;
}

/** A part of a text that stood in an earlier one: in which, and from where on there. */
export interface KeptPart {
  readonly from: number;
  readonly to: number;
  readonly of: number;
  readonly start: number;
}

/** So many texts are compared besides the one that was edited: the nearest, and the first of all. */
const MOST_SOURCES = 3;

/** What an edit kept: all of a text that is back to an earlier one, else what is unchanged from the first of `earlier`. */
export function keptParts(earlier: readonly Earlier[], text: string): readonly KeptPart[] {
  const same = sameIn(earlier, text);
  if (same >= 0) return [{ from: 0, to: text.length, of: same, start: 0 }].filter(({ to }) => to > 0);
  return unchangedParts(earlier[0]?.text ?? '', text).map(({ a, b, length }) => {
    return { from: b, to: b + length, of: 0, start: a };
  });
}

/** The same, and what of it is not a model's by now but stands as a model wrote it, whichever edits lay between (W30). */
export function keptOrRestored(earlier: readonly Earlier[], text: string, editor: string): readonly KeptPart[] {
  const kept = keptParts(earlier, text);
  // What a text was made of has been compared with it already.
  const sources = sourcesIn(earlier, sameIn(earlier, text) + 2);
  return sources.length === 0 ? kept : withModels(earlier, kept, sources, text, isModels(editor));
}

function sameIn(earlier: readonly Earlier[], text: string): number {
  return earlier.findLastIndex((each) => !each.isElsewhere && each.text === text);
}

function sourcesIn(earlier: readonly Earlier[], first: number): readonly number[] {
  const found: number[] = [];
  for (let i = first; i < earlier.length; i++) {
    const { isSource, spans } = earlier[i] as Earlier;
    if (isSource && spans.some(({ author }) => isModels(author))) found.push(i);
  }
  return found.length <= MOST_SOURCES ? found : [...found.slice(0, MOST_SOURCES - 1), found.at(-1) as number];
}

/** Character by character: where each comes from, and whether that is a model's. */
function withModels(
  earlier: readonly Earlier[],
  kept: readonly KeptPart[],
  sources: readonly number[],
  text: string,
  byModel: boolean,
): readonly KeptPart[] {
  const of = new Int32Array(text.length).fill(-1);
  const start = new Int32Array(text.length);
  const models = new Uint8Array(text.length).fill(byModel ? 1 : 0);
  const take = (from: number, to: number, source: number, shift: number, isModel: boolean) => {
    for (let i = from; i < to; i++) {
      if (isModel && models[i] === 1) continue;
      of[i] = source;
      start[i] = i + shift;
      models[i] = isModel ? 1 : 0;
    }
  };
  const takeModels = ({ from, to, of: source, start: at }: KeptPart) => {
    for (const span of (earlier[source] as Earlier).spans) {
      if (!isModels(span.author) || span.to <= at) continue;
      if (span.from >= at + to - from) return;
      const shift = at - from;
      take(Math.max(from, span.from - shift), Math.min(to, span.to - shift), source, shift, true);
    }
  };
  for (const { from, to, of: source, start: at } of kept) take(from, to, source, at - from, false);
  for (const part of kept) takeModels(part);
  for (const source of sources) {
    if (!models.includes(0)) break;
    for (const { a, b, length } of unchangedParts((earlier[source] as Earlier).text, text)) {
      takeModels({ from: b, to: b + length, of: source, start: a });
    }
  }
  return runsOf(of, start);
}

function runsOf(of: Int32Array, start: Int32Array): readonly KeptPart[] {
  const runs: KeptPart[] = [];
  for (let from = 0; from < of.length; ) {
    let to = from + 1;
    while (to < of.length && of[to] === of[from] && (of[from] === -1 || start[to] === (start[to - 1] as number) + 1))
      to++;
    if (of[from] !== -1) runs.push({ from, to, of: of[from] as number, start: start[from] as number });
    from = to;
  }
  return runs;
}

function isModels(author: string): boolean {
  return author.startsWith('model ');
}
