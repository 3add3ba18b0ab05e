import type { Hunk } from '../../core/text/diff.ts';
import type { Output } from './output.ts';
import { visible, widthOf, wrap } from './text.ts';

interface Piece {
  readonly kind: Hunk['kind'];
  readonly text: string;
}

/** A difference in lines of a width: what went in red, what came in green; without colours, [-what went-] {+what came+}. */
export function diffLines(hunks: readonly Hunk[], { colors }: Pick<Output, 'colors'>, width: number): string[] {
  const lines: string[] = [];
  let line: Piece[] = [];
  let used = 0;
  const paint = (kind: Hunk['kind'], text: string) => (kind === 'equal' ? text : painted(kind, text, colors));
  function end() {
    lines.push(
      joined(line)
        .map(({ kind, text }) => paint(kind, text))
        .join('')
        .trimEnd(),
    );
    line = [];
    used = 0;
  }
  for (const { kind, text } of piecesOf(hunks, colors.isColorSupported, width)) {
    if (text === '\n') {
      end();
      continue;
    }
    if (used > 0 && used + widthOf(text.trimEnd()) > width) end();
    line.push({ kind, text });
    used += widthOf(text);
  }
  if (line.length > 0) end();
  return lines;
}

/** Words with the blanks behind them, and ends of lines. */
function* piecesOf(hunks: readonly Hunk[], coloured: boolean, width: number): Generator<Piece> {
  for (const { kind, text } of hunks) {
    const shown = coloured ? visible(text) : marked(kind, visible(text));
    for (const part of shown.split(/(\n)|(?<= )(?=[^ ])/)) {
      if (part === undefined || part === '') continue;
      if (part === '\n' || widthOf(part) <= width) yield { kind, text: part };
      else for (const piece of wrap(part, width)) yield { kind, text: piece };
    }
  }
}

function marked(kind: Hunk['kind'], text: string): string {
  if (kind === 'equal') return text;
  return kind === 'delete' ? `[-${text}-]` : `{+${text}+}`;
}

function painted(kind: Hunk['kind'], text: string, colors: Output['colors']): string {
  return kind === 'delete' ? colors.red(colors.strikethrough(text)) : colors.green(text);
}

/** One stretch of a colour instead of one for each word. */
function joined(pieces: readonly Piece[]): readonly Piece[] {
  const found: Piece[] = [];
  for (const piece of pieces) {
    const last = found.at(-1);
    if (last?.kind === piece.kind) found[found.length - 1] = { kind: piece.kind, text: last.text + piece.text };
    else found.push(piece);
  }
  return found;
}
