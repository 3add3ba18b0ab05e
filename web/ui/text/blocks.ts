import { withoutEnd } from '../../../src/core/text/trim-end.ts';
import { type Inline, parseInline } from './inline.ts';

/** A part of a message that stands by itself. Raw HTML is not among them: it stays the text it is. */
export type Block =
  | { readonly kind: 'paragraph'; readonly children: readonly Inline[] }
  | { readonly kind: 'heading'; readonly level: number; readonly children: readonly Inline[] }
  | { readonly kind: 'code'; readonly language: string; readonly text: string }
  | { readonly kind: 'quote'; readonly blocks: readonly Block[] }
  | { readonly kind: 'list'; readonly start: number | undefined; readonly items: readonly (readonly Block[])[] }
  | { readonly kind: 'table'; readonly head: readonly Row[]; readonly rows: readonly Row[] }
  | { readonly kind: 'rule' };
export type Row = readonly (readonly Inline[])[];

const DEEPEST = 6;
const FENCE = /^ {0,3}(`{3,}(?=[^`]*$)|~{3,})(.*)/s;
const HEADING = /^ {0,3}(#{1,6})\s(.*)/s;
const RULE = /^ {0,3}(?:-(?: *-){2,}|\*(?: *\*){2,}|_(?: *_){2,}) *$/;
const QUOTE = /^ {0,3}> ?/;
const ITEM = /^( {0,3})([-*+]|\d{1,9}[.)])( {1,4}|$)/;
const TABLE_RULE = /^ {0,3}\|?(?: *:?-+:? *\|)+(?: *:?-+:? *)?$/;

export function parseBlocks(text: string, depth = 0): readonly Block[] {
  const lines = text.replaceAll('\t', '    ').split(/\r\n?|\n/);
  const blocks: Block[] = [];
  let at = 0;

  while (at < lines.length) {
    const line = lines[at] as string;
    if (line.trim() === '') at++;
    else if (FENCE.test(line)) fence(line);
    else if (HEADING.test(line)) heading(line);
    else if (RULE.test(line)) rule();
    else if (QUOTE.test(line) && depth < DEEPEST) quote();
    else if (ITEM.test(line) && depth < DEEPEST) list(line);
    else if (beginsTable(at)) table();
    else paragraph();
  }
  return blocks;

  function fence(first: string): void {
    const [, sign = '', language = ''] = FENCE.exec(first) ?? [];
    let stop = at + 1;
    while (stop < lines.length && !closesFence(lines[stop] as string, sign)) stop++;
    blocks.push({ kind: 'code', language: language.trim(), text: lines.slice(at + 1, stop).join('\n') });
    at = stop + 1;
  }

  function heading(line: string): void {
    const [, signs = '', words = ''] = HEADING.exec(line) ?? [];
    blocks.push({
      kind: 'heading',
      level: signs.length,
      children: parseInline(withoutClosingSigns(words.trimStart())),
    });
    at++;
  }

  function rule(): void {
    blocks.push({ kind: 'rule' });
    at++;
  }

  function quote(): void {
    const inside: string[] = [];
    // A line that goes on without its sign still belongs to the quoted paragraph.
    while (at < lines.length && (QUOTE.test(lines[at] as string) || continues(at, inside.at(-1)))) {
      inside.push((lines[at++] as string).replace(QUOTE, ''));
    }
    blocks.push({ kind: 'quote', blocks: parseBlocks(inside.join('\n'), depth + 1) });
  }

  function list(first: string): void {
    const [, , sign = ''] = ITEM.exec(first) ?? [];
    const kind = sign.slice(-1);
    const items: (readonly Block[])[] = [];
    while (at < lines.length) {
      const found = ITEM.exec(lines[at] as string);
      if (!found || (found[2] as string).slice(-1) !== kind || RULE.test(lines[at] as string)) break;
      items.push(item(found));
    }
    const start = Number.parseInt(sign, 10);
    blocks.push({ kind: 'list', start: Number.isNaN(start) ? undefined : start, items });
  }

  function item([whole, indent = '', sign = '']: RegExpExecArray): readonly Block[] {
    const width = whole.trim() === whole ? indent.length + sign.length + 1 : whole.length;
    const inside = [(lines[at++] as string).slice(whole.length)];
    while (at < lines.length) {
      const line = lines[at] as string;
      const deeper = line.startsWith(' '.repeat(Math.min(width, indent.length + 2)));
      if (line.trim() === '') {
        const next = lines[at + 1];
        if (next === undefined || !next.startsWith(' '.repeat(indent.length + 2))) break;
        inside.push('');
      } else if (deeper) inside.push(outdented(line, width));
      else if (continues(at, inside.at(-1))) inside.push(line);
      else break;
      at++;
    }
    while (at < lines.length && (lines[at] as string).trim() === '' && ITEM.test(lines[at + 1] ?? '')) at++;
    return parseBlocks(inside.join('\n'), depth + 1);
  }

  function table(): void {
    const head = [cells(lines[at] as string)];
    at += 2;
    const rows: Row[] = [];
    while (at < lines.length && (lines[at] as string).includes('|')) rows.push(cells(lines[at++] as string));
    blocks.push({ kind: 'table', head, rows });
  }

  function beginsTable(index: number): boolean {
    return (lines[index] as string).includes('|') && TABLE_RULE.test(lines[index + 1] ?? '');
  }

  function paragraph(): void {
    const start = at++;
    while (at < lines.length && continues(at, lines[at - 1])) at++;
    const words = lines.slice(start, at).map((line) => line.trim());
    blocks.push({ kind: 'paragraph', children: parseInline(words.join('\n')) });
  }

  function continues(index: number, before: string | undefined): boolean {
    const line = lines[index] as string;
    if (!before || before.trim() === '' || line.trim() === '') return false;
    return ![FENCE, HEADING, RULE, QUOTE, ITEM].some((begin) => begin.test(line)) && !beginsTable(index);
  }
}

/** At least as many of the signs that opened it, and nothing else. */
function closesFence(line: string, sign: string): boolean {
  const signs = withoutEnd(line.replace(/^ {0,3}/, ''), isSpace);
  return signs.length >= sign.length && signs === sign.charAt(0).repeat(signs.length);
}

/** "## Words ##" is a heading of words alone. */
function withoutClosingSigns(words: string): string {
  const whole = withoutEnd(words, isSpace);
  const rest = withoutEnd(whole, (char) => char === '#');
  return rest.length < whole.length && rest.endsWith(' ') ? withoutEnd(rest, isSpace) : words;
}

function isSpace(char: string): boolean {
  return char === ' ';
}

function outdented(line: string, width: number): string {
  const spaces = line.length - line.trimStart().length;
  return line.slice(Math.min(width, spaces));
}

function cells(line: string): Row {
  const inside = line.trim().replace(/^\|/, '').replace(/\|$/, '');
  return inside.split(/(?<!\\)\|/).map((cell) => parseInline(cell.trim().replaceAll('\\|', '|')));
}
