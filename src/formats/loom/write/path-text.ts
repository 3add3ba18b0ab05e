/** One path of a loom as a text with its authors: the input of path exports. */
export interface PathText {
  readonly title: string;
  readonly text: string;
  /** UTF-16 offsets, end exclusive, in order; text outside all spans has no known author. */
  readonly spans: readonly PathSpan[];
}

export interface PathSpan {
  readonly start: number;
  readonly end: number;
  readonly author?: string;
  readonly kind: 'human' | 'model' | 'imported';
}

export interface PathWriter {
  /** Counted from 1, in order of first appearance. */
  readonly number: number;
  readonly label: string;
  readonly kind: 'human' | 'model' | 'imported' | 'unknown';
  readonly characters: number;
}

export interface WriterPart {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly writer: PathWriter;
}

/** Splits the whole text into parts and joins neighbours by the same writer. Trims spans that overlap or overshoot. */
export function splitByWriter({ text, spans }: PathText): {
  parts: readonly WriterPart[];
  writers: readonly PathWriter[];
} {
  const writers = new Map<string, PathWriter & { characters: number }>();
  const parts: (WriterPart & { text: string; end: number })[] = [];
  let position = 0;
  for (const span of spans.toSorted((a, b) => a.start - b.start)) {
    addPart(span.start, undefined);
    addPart(span.end, span);
  }
  addPart(text.length, undefined);
  return { parts, writers: [...writers.values()] };

  function addPart(until: number, span: PathSpan | undefined) {
    const end = Math.min(until, text.length);
    if (!(end > position)) return;
    const writer = writerOf(span);
    writer.characters += end - position;
    const last = parts.at(-1);
    if (last?.writer === writer) {
      last.text += text.slice(position, end);
      last.end = end;
    } else parts.push({ text: text.slice(position, end), start: position, end, writer });
    position = end;
  }

  function writerOf(span: PathSpan | undefined) {
    const kind = span?.kind ?? 'unknown';
    const label =
      span?.author ?? { human: 'a person', model: 'a model', imported: 'not known', unknown: 'not known' }[kind];
    const key = `${kind} ${label}`;
    const writer = writers.get(key) ?? { number: writers.size + 1, label, kind, characters: 0 };
    writers.set(key, writer);
    return writer;
  }
}

/** Puts a name on one line. */
export function toOneLine(name: string): string {
  return name.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim();
}

export function describeWriter({ kind, characters }: PathWriter): string {
  const what = { human: 'human', model: 'model', imported: 'imported', unknown: 'no author recorded' }[kind];
  return `${what}, ${characters} character${characters === 1 ? '' : 's'}`;
}
