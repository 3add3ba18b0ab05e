import type { TextStyle } from '../output/output.ts';

export interface TextAuthorSpan {
  readonly start: number;
  readonly end: number;
  readonly author: string;
  readonly kind: 'human' | 'model' | 'imported';
}

export interface TextAuthor {
  readonly id: string;
  readonly kind: 'human' | 'model' | 'imported';
  /** A sign that tells authors apart without colour; the first person has none. */
  readonly sign: string;
  readonly characters: number;
  paint(text: string): string;
}

const SUPERSCRIPTS = '⁰¹²³⁴⁵⁶⁷⁸⁹';

/** The authors of a text, in order of first appearance: people without colour, each model in its own colour (W15). */
export function authorsOf(spans: readonly TextAuthorSpan[], { colors }: TextStyle) {
  const authors = new Map<string, TextAuthor & { characters: number }>();
  const palette = [colors.cyan, colors.yellow, colors.magenta, colors.green, colors.blue, colors.red];
  let [models, people] = [0, 0];
  for (const { author: id, kind, start, end } of spans) {
    const key = `${kind} ${id}`;
    let author = authors.get(key);
    if (!author) {
      const color = palette[models % palette.length] as (text: string) => string;
      const paint =
        kind === 'model' ? (text: string) => colors.underline(color(text)) : people > 0 ? colors.bold : String;
      const isPlain = kind === 'human' && people === 0;
      if (kind === 'model') models++;
      else people++;
      author = { id, kind, sign: isPlain ? '' : superscript(authors.size + 1), characters: 0, paint };
      authors.set(key, author);
    }
    author.characters += end - start;
  }
  return {
    all: [...authors.values()] as readonly TextAuthor[],
    of: ({ kind, author }: TextAuthorSpan) => authors.get(`${kind} ${author}`) as TextAuthor,
  };
}

function superscript(number: number): string {
  return String(number).replace(/\d/g, (digit) => SUPERSCRIPTS[Number(digit)] as string);
}
