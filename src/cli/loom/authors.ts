import type { Output } from '../output/output.ts';

export interface AuthorSpan {
  readonly start: number;
  readonly end: number;
  readonly author: string;
  readonly kind: 'human' | 'model' | 'imported';
}

export interface Author {
  readonly id: string;
  readonly kind: 'human' | 'model' | 'imported';
  /** A sign that tells authors apart where there is no colour; the first person has none. */
  readonly sign: string;
  readonly characters: number;
  paint(text: string): string;
}

const RAISED = '⁰¹²³⁴⁵⁶⁷⁸⁹';

/** Whoever wrote a text, in the order of their first words: people as they are, each model in a colour of its own (W15). */
export function authorsOf(spans: readonly AuthorSpan[], { colors }: Pick<Output, 'colors'>) {
  const known = new Map<string, Author & { characters: number }>();
  const hues = [colors.cyan, colors.yellow, colors.magenta, colors.green, colors.blue, colors.red];
  let [models, people] = [0, 0];
  for (const { author: id, kind, start, end } of spans) {
    const key = `${kind} ${id}`;
    let author = known.get(key);
    if (!author) {
      const hue = hues[models % hues.length] as (text: string) => string;
      const paint =
        kind === 'model' ? (text: string) => colors.underline(hue(text)) : people > 0 ? colors.bold : String;
      const plain = kind === 'human' && people === 0;
      if (kind === 'model') models++;
      else people++;
      author = { id, kind, sign: plain ? '' : raised(known.size + 1), characters: 0, paint };
      known.set(key, author);
    }
    author.characters += end - start;
  }
  return {
    all: [...known.values()] as readonly Author[],
    of: ({ kind, author }: AuthorSpan) => known.get(`${kind} ${author}`) as Author,
  };
}

function raised(number: number): string {
  return String(number).replace(/\d/g, (digit) => RAISED[Number(digit)] as string);
}
