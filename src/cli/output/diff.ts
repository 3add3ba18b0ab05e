import type { DiffHunk } from '../../core/text/diff.ts';
import type { TerminalOutput, TextStyle } from './output.ts';
import { sanitize, widthOf, wrap } from './text.ts';

interface DiffPiece {
  readonly kind: DiffHunk['kind'];
  readonly text: string;
}

/** A diff wrapped to `width`: deletions in red, insertions in green; without colours, [-deleted-] {+inserted+}. */
export function diffLines(hunks: readonly DiffHunk[], { colors }: TextStyle, width: number): string[] {
  const lines: string[] = [];
  let line: DiffPiece[] = [];
  let column = 0;
  const paint = (kind: DiffHunk['kind'], text: string) => (kind === 'equal' ? text : paintText(kind, text, colors));
  function endLine() {
    lines.push(
      mergePieces(line)
        .map(({ kind, text }) => paint(kind, text))
        .join('')
        .trimEnd(),
    );
    line = [];
    column = 0;
  }
  for (const { kind, text } of piecesOf(hunks, colors.isColorSupported, width)) {
    if (text === '\n') {
      endLine();
      continue;
    }
    if (column > 0 && column + widthOf(text.trimEnd()) > width) endLine();
    line.push({ kind, text });
    column += widthOf(text);
  }
  if (line.length > 0) endLine();
  return lines;
}

/** Splits hunks into line breaks and words with their trailing spaces. */
function* piecesOf(hunks: readonly DiffHunk[], isColored: boolean, width: number): Generator<DiffPiece> {
  for (const { kind, text } of hunks) {
    const markedText = isColored ? sanitize(text) : markText(kind, sanitize(text));
    for (const word of markedText.split(/(\n)|(?<= )(?=[^ ])/)) {
      if (word === undefined || word === '') continue;
      if (word === '\n' || widthOf(word) <= width) yield { kind, text: word };
      else for (const piece of wrap(word, width)) yield { kind, text: piece };
    }
  }
}

function markText(kind: DiffHunk['kind'], text: string): string {
  if (kind === 'equal') return text;
  return kind === 'delete' ? `[-${text}-]` : `{+${text}+}`;
}

function paintText(kind: DiffHunk['kind'], text: string, colors: TerminalOutput['colors']): string {
  return kind === 'delete' ? colors.red(colors.strikethrough(text)) : colors.green(text);
}

/** Merges neighbouring words of the same colour. */
function mergePieces(pieces: readonly DiffPiece[]): readonly DiffPiece[] {
  const merged: DiffPiece[] = [];
  for (const piece of pieces) {
    const last = merged.at(-1);
    if (last?.kind === piece.kind) merged[merged.length - 1] = { kind: piece.kind, text: last.text + piece.text };
    else merged.push(piece);
  }
  return merged;
}
