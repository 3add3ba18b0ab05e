import { type Inline, parseInline } from './inline.ts';
import { visible } from './visible.ts';

/** The first line of a text as one reads it, for a place that has room for one. */
export function firstLine(text: string, limit = 120): string {
  const line = text.slice(0, 2000).trim().split('\n', 1)[0] ?? '';
  const words = visible(
    parseInline(line.replace(/^[#>*-]+ /, ''))
      .map(plain)
      .join(''),
  ).replace(/\s+/g, ' ');
  const letters = [...words];
  return letters.length <= limit
    ? words
    : `${letters
        .slice(0, limit - 1)
        .join('')
        .trimEnd()}…`;
}

function plain(piece: Inline): string {
  if (typeof piece === 'string') return piece;
  if (piece.kind === 'break') return ' ';
  return piece.kind === 'code' ? piece.text : piece.children.map(plain).join('');
}
