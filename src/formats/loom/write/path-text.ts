/** One path of a loom as a text, and who wrote which part of it: what the exports of a path take. */
export interface PathText {
  readonly title: string;
  readonly text: string;
  /** UTF-16 offsets, end exclusive, in order; what none covers is nobody's known. */
  readonly spans: readonly AuthorSpan[];
}

export interface AuthorSpan {
  readonly start: number;
  readonly end: number;
  readonly author?: string;
  readonly kind: 'human' | 'model' | 'imported';
}

export interface Writer {
  /** From 1, in the order of their first words. */
  readonly number: number;
  readonly label: string;
  readonly kind: 'human' | 'model' | 'imported' | 'unknown';
  readonly characters: number;
}

export interface Part {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly writer: Writer;
}

/** The whole text in parts, neighbours of one writer together. Spans that overlap or overshoot are trimmed. */
export function partsOf({ text, spans }: PathText): { parts: readonly Part[]; writers: readonly Writer[] } {
  const writers = new Map<string, Writer & { characters: number }>();
  const parts: (Part & { text: string; end: number })[] = [];
  let at = 0;
  for (const span of spans.toSorted((a, b) => a.start - b.start)) {
    add(span.start, undefined);
    add(span.end, span);
  }
  add(text.length, undefined);
  return { parts, writers: [...writers.values()] };

  function add(until: number, span: AuthorSpan | undefined) {
    const end = Math.min(until, text.length);
    if (!(end > at)) return;
    const writer = writerOf(span);
    writer.characters += end - at;
    const last = parts.at(-1);
    if (last?.writer === writer) {
      last.text += text.slice(at, end);
      last.end = end;
    } else parts.push({ text: text.slice(at, end), start: at, end, writer });
    at = end;
  }

  function writerOf(span: AuthorSpan | undefined) {
    const kind = span?.kind ?? 'unknown';
    const label =
      span?.author ?? { human: 'a person', model: 'a model', imported: 'not known', unknown: 'not known' }[kind];
    const key = `${kind} ${label}`;
    const known = writers.get(key) ?? { number: writers.size + 1, label, kind, characters: 0 };
    writers.set(key, known);
    return known;
  }
}

/** A name on one line. */
export function oneLine(name: string): string {
  return name.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim();
}

export function describe({ kind, characters }: Writer): string {
  const what = { human: 'human', model: 'model', imported: 'imported', unknown: 'no author recorded' }[kind];
  return `${what}, ${characters} character${characters === 1 ? '' : 's'}`;
}
