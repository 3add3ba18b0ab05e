import { trimEndWhile } from '../../../src/core/text/trim-end.ts';
import { type Inline, parseInline } from './inline.ts';

/** A block of a message. There is no block for raw HTML: it stays text. */
export type Block =
  | { readonly kind: 'paragraph'; readonly children: readonly Inline[] }
  | { readonly kind: 'heading'; readonly level: number; readonly children: readonly Inline[] }
  | { readonly kind: 'code'; readonly language: string; readonly text: string }
  | { readonly kind: 'quote'; readonly blocks: readonly Block[] }
  | { readonly kind: 'list'; readonly start: number | undefined; readonly items: readonly ListItem[] }
  | {
      readonly kind: 'table';
      readonly align: readonly Alignment[];
      readonly head: readonly TableRow[];
      readonly rows: readonly TableRow[];
    }
  /** TeX on lines of its own. */
  | { readonly kind: 'math'; readonly text: string }
  | { readonly kind: 'rule' };
export type TableRow = readonly (readonly Inline[])[];
export type Alignment = 'left' | 'center' | 'right' | undefined;
export interface ListItem {
  /** Of an item with a box: whether it is ticked. */
  readonly isDone?: boolean;
  readonly blocks: readonly Block[];
}

const MAX_DEPTH = 6;
const MAX_MATH_LINES = 50;
const FENCE = /^ {0,3}(`{3,}(?=[^`]*$)|~{3,})(.*)/s;
const HEADING = /^ {0,3}(#{1,6})\s(.*)/s;
const RULE = /^ {0,3}(?:-(?: *-){2,}|\*(?: *\*){2,}|_(?: *_){2,}) *$/;
const QUOTE = /^ {0,3}> ?/;
const ITEM = /^( {0,3})([-*+]|\d{1,9}[.)])( {1,4}|$)/;
const TASK = /^\[([ xX])\] +(?=\S)/;
const UNDERLINE = /^ {0,3}(=+|-{2,}) *$/;
const MATH = /^ {0,3}(\$\$|\\\[)(.*)/s;
const TABLE_RULE = /^ {0,3}\|?(?: *:?-+:? *\|)+(?: *:?-+:? *)?$/;

export function parseBlocks(text: string, depth = 0): readonly Block[] {
  return parse(text, depth).blocks;
}

/**
 * Of a text that grows: the length of what no later word can change. It ends before the last block that stands apart
 * and whose first line is whole.
 */
export function settledLength(text: string): number {
  const { lines, starts, hasOpenMath } = parse(text, 0);
  if (hasOpenMath) return 0;
  const end = starts.findLast((start) => start + 1 < lines.length && lines[start - 1]?.trim() === '');
  let breaks = 0;
  for (const { 0: lineBreak, index } of text.matchAll(/\r\n?|\n/g))
    if (++breaks === end) return index + lineBreak.length;
  return 0;
}

function parse(text: string, depth: number) {
  const sourceLines = text.split(/\r\n?|\n/);
  const lines = sourceLines.map((line) => line.replaceAll('\t', '    '));
  const blocks: Block[] = [];
  let at = 0;
  /** The lines with which blocks begin. */
  const starts: number[] = [];
  /** Lines that are still to come may make maths of what is a paragraph now. */
  let hasOpenMath = false;

  while (at < lines.length) {
    const line = lines[at] as string;
    if (line.trim() !== '') starts.push(at);
    if (line.trim() === '') at++;
    else if (FENCE.test(line)) parseFence(line);
    else if (HEADING.test(line)) parseHeading(line);
    else if (RULE.test(line)) parseRule();
    else if (QUOTE.test(line) && depth < MAX_DEPTH) parseQuote();
    else if (ITEM.test(line) && depth < MAX_DEPTH) parseList(line);
    else if (startsTable(at)) parseTable();
    else if (!(MATH.test(line) && parseMath(line))) parseParagraph();
  }
  return { blocks, lines, starts, hasOpenMath };

  function parseFence(first: string): void {
    const [, marker = '', language = ''] = FENCE.exec(first) ?? [];
    let end = at + 1;
    while (end < lines.length && !closesFence(lines[end] as string, marker)) end++;
    blocks.push({ kind: 'code', language: language.trim(), text: sourceLines.slice(at + 1, end).join('\n') });
    at = end + 1;
  }

  /** False if it is not closed soon, or closed in the middle of a line. */
  function parseMath(first: string): boolean {
    const [, open = '', rest = ''] = MATH.exec(first) ?? [];
    const close = open === '$$' ? '$$' : '\\]';
    const innerLines: string[] = [];
    for (let end = at; end < Math.min(lines.length, at + MAX_MATH_LINES); end++) {
      const line = end === at ? rest : (lines[end] as string);
      const index = line.indexOf(close);
      if (index < 0) {
        innerLines.push(line);
        continue;
      }
      const text = [...innerLines, line.slice(0, index)].join('\n').trim();
      if (text === '' || line.slice(index + close.length).trim() !== '') return false;
      blocks.push({ kind: 'math', text });
      at = end + 1;
      return true;
    }
    hasOpenMath ||= at + MAX_MATH_LINES > lines.length;
    return false;
  }

  function parseHeading(line: string): void {
    const [, hashes = '', headingText = ''] = HEADING.exec(line) ?? [];
    blocks.push({
      kind: 'heading',
      level: hashes.length,
      children: parseInline(stripClosingHashes(headingText.trimStart())),
    });
    at++;
  }

  function parseRule(): void {
    blocks.push({ kind: 'rule' });
    at++;
  }

  function parseQuote(): void {
    const innerLines: string[] = [];
    // A line without the quote sign that continues the paragraph still belongs to the quote.
    while (at < lines.length && (QUOTE.test(lines[at] as string) || continuesParagraph(at, innerLines.at(-1)))) {
      innerLines.push((lines[at++] as string).replace(QUOTE, ''));
    }
    blocks.push({ kind: 'quote', blocks: parseBlocks(innerLines.join('\n'), depth + 1) });
  }

  function parseList(first: string): void {
    const [, , marker = ''] = ITEM.exec(first) ?? [];
    const kind = marker.slice(-1);
    const items: ListItem[] = [];
    while (at < lines.length) {
      const match = ITEM.exec(lines[at] as string);
      if (!match || (match[2] as string).slice(-1) !== kind || RULE.test(lines[at] as string)) break;
      items.push(parseItem(match));
    }
    const start = Number.parseInt(marker, 10);
    blocks.push({ kind: 'list', start: Number.isNaN(start) ? undefined : start, items });
  }

  function parseItem([prefix, indent = '', marker = '']: RegExpExecArray): ListItem {
    const width = prefix.trim() === prefix ? indent.length + marker.length + 1 : prefix.length;
    const first = (lines[at++] as string).slice(prefix.length);
    const box = TASK.exec(first);
    const innerLines = [first.slice(box?.[0].length ?? 0)];
    while (at < lines.length) {
      const line = lines[at] as string;
      const isDeeper = line.startsWith(' '.repeat(Math.min(width, indent.length + 2)));
      if (line.trim() === '') {
        const next = lines[at + 1];
        if (next === undefined || !next.startsWith(' '.repeat(indent.length + 2))) break;
        innerLines.push('');
      } else if (isDeeper) innerLines.push(outdent(line, width));
      else if (continuesParagraph(at, innerLines.at(-1))) innerLines.push(line);
      else break;
      at++;
    }
    while (at < lines.length && (lines[at] as string).trim() === '' && ITEM.test(lines[at + 1] ?? '')) at++;
    const blocks = parseBlocks(innerLines.join('\n'), depth + 1);
    return box ? { isDone: box[1] !== ' ', blocks } : { blocks };
  }

  function parseTable(): void {
    const head = [parseCells(lines[at] as string)];
    const align = splitCells(lines[at + 1] as string).map(alignmentOf);
    at += 2;
    const rows: TableRow[] = [];
    while (at < lines.length && (lines[at] as string).includes('|')) rows.push(parseCells(lines[at++] as string));
    blocks.push({ kind: 'table', align, head, rows });
  }

  function startsTable(index: number): boolean {
    return (lines[index] as string).includes('|') && TABLE_RULE.test(lines[index + 1] ?? '');
  }

  function parseParagraph(): void {
    const start = at++;
    while (at < lines.length && !UNDERLINE.test(lines[at] as string) && continuesParagraph(at, lines[at - 1])) at++;
    const trimmedLines = lines.slice(start, at).map((line) => line.trim());
    const children = parseInline(trimmedLines.join('\n'));
    const underline = UNDERLINE.exec(lines[at] ?? '')?.[1];
    if (underline) at++;
    blocks.push(
      underline
        ? { kind: 'heading', level: underline.startsWith('=') ? 1 : 2, children }
        : { kind: 'paragraph', children },
    );
  }

  function continuesParagraph(index: number, before: string | undefined): boolean {
    const line = lines[index] as string;
    if (!before || before.trim() === '' || line.trim() === '') return false;
    return ![FENCE, HEADING, RULE, QUOTE, ITEM].some((pattern) => pattern.test(line)) && !startsTable(index);
  }
}

/** A closing fence has at least as many marker characters as the opening one, and nothing else. */
function closesFence(line: string, marker: string): boolean {
  const markers = trimEndWhile(line.replace(/^ {0,3}/, ''), isSpace);
  return markers.length >= marker.length && markers === marker.charAt(0).repeat(markers.length);
}

/** "## Words ##" is a heading with the text "Words". */
function stripClosingHashes(text: string): string {
  const trimmed = trimEndWhile(text, isSpace);
  const rest = trimEndWhile(trimmed, (char) => char === '#');
  return rest.length < trimmed.length && rest.endsWith(' ') ? trimEndWhile(rest, isSpace) : text;
}

function isSpace(char: string): boolean {
  return char === ' ';
}

function outdent(line: string, width: number): string {
  const spaces = line.length - line.trimStart().length;
  return line.slice(Math.min(width, spaces));
}

function splitCells(line: string): readonly string[] {
  return line
    .trim()
    .replace(/^\|/, '')
    .replace(/(?<!\\)\|$/, '')
    .split(/(?<!\\)\|/);
}

function parseCells(line: string): TableRow {
  return splitCells(line).map((cell) => parseInline(cell.trim().replaceAll('\\|', '|')));
}

function alignmentOf(cell: string): Alignment {
  const [begins, ends] = [cell.trim().startsWith(':'), cell.trim().endsWith(':')];
  if (begins && ends) return 'center';
  return ends ? 'right' : begins ? 'left' : undefined;
}
