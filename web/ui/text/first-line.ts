import { escapeBidi } from './escape-bidi.ts';
import { type Inline, parseInline } from './inline.ts';

/** The first line of a text without markup, for a place with room for one line. */
export function firstLine(text: string, limit = 120): string {
  const line = text.slice(0, 2000).trim().split('\n', 1)[0] ?? '';
  const plainLine = escapeBidi(plainText(parseInline(line.replace(/^[#>*-]+ /, '')))).replace(/\s+/g, ' ');
  const letters = [...plainLine];
  return letters.length <= limit
    ? plainLine
    : `${letters
        .slice(0, limit - 1)
        .join('')
        .trimEnd()}…`;
}

/** A text without its markup. */
export function plainText(nodes: readonly Inline[]): string {
  return nodes.map(plainTextOf).join('');
}

function plainTextOf(node: Inline): string {
  if (typeof node === 'string') return node;
  switch (node.kind) {
    case 'break':
      return ' ';
    case 'image':
      return node.alt;
    case 'code':
    case 'math':
      return node.text;
    default:
      return plainText(node.children);
  }
}
