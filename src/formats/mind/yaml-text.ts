import { MAX_THOUGHTS, throwTooManyThoughts, UnreadableOutput } from './fields.ts';

/** The position of the reader; everything before `index` has been consumed. */
export interface LineCursor {
  readonly all: readonly string[];
  index: number;
}

/** `|` and `>`: the lines indented deeper than the parent, with that indentation removed. */
export function readBlock(cursor: LineCursor, header: string, parent: number): string {
  const match = /^([|>])([1-9]?)([+-]?)([1-9]?)\s*(#.*)?$/.exec(header);
  if (!match)
    throw new UnreadableOutput(
      `There is text on the line of "${header[0]}": ${JSON.stringify(header.slice(0, 40))}.`,
      'Begin it on the next line.',
    );
  const explicitIndent = Number(match[2] || match[4] || 0);
  let indent = explicitIndent > 0 ? parent + explicitIndent : 0;
  const collected: string[] = [];
  for (; cursor.index < cursor.all.length; cursor.index++) {
    const line = cursor.all[cursor.index] as string;
    const depth = leadingSpaces(line);
    if (line.length === depth) {
      collected.push(indent > 0 ? line.slice(indent) : '');
      continue;
    }
    if (indent === 0 && depth > parent) indent = depth;
    if (depth < indent || depth <= parent) break;
    collected.push(line.slice(indent));
  }
  while (collected.at(-1)?.trim() === '') collected.pop();
  return match[1] === '|' ? collected.join('\n') : foldLines(collected);
}

/** Reads up to a comment and continues through lines that are indented deeper; line breaks become spaces. */
export function readPlain(cursor: LineCursor, first: string, parent: number): string {
  const collected = [first];
  for (; cursor.index < cursor.all.length; cursor.index++) {
    const line = cursor.all[cursor.index] as string;
    const text = line.trim();
    if (text !== '' && (leadingSpaces(line) <= parent || text.startsWith('#'))) break;
    collected.push(text);
  }
  return foldLines(collected.map(stripComment)).trim();
}

export function readQuoted(cursor: LineCursor, first: string, name: string): string {
  const quote = first[0] as '"' | "'";
  const collected: string[] = [];
  let line = first.slice(1);
  for (;;) {
    const end = closingQuote(line, quote);
    if (end >= 0) {
      const rest = line.slice(end + 1).trim();
      if (rest !== '' && !rest.startsWith('#')) {
        throw new UnreadableOutput(
          `There is something behind the closing quotation mark of "${name}".`,
          `Use "${name}: |".`,
        );
      }
      collected.push(line.slice(0, end));
      break;
    }
    if (cursor.index >= cursor.all.length)
      throw new UnreadableOutput(`The quotation mark that opens "${name}" is never closed.`);
    collected.push(line);
    line = (cursor.all[cursor.index++] as string).trimStart();
  }
  return unescapeQuoted(quote, joinQuoted(collected, quote));
}

/** `[a, "b", 'c']`, possibly over several lines. */
export function readFlowList(cursor: LineCursor, first: string): readonly string[] {
  let text = first.slice(1);
  const items: string[] = [];
  for (let expectsItem = true; ; ) {
    text = text.trimStart();
    if (text === '' || text.startsWith('#')) {
      if (cursor.index >= cursor.all.length) throw new UnreadableOutput('The list of "thoughts" is not closed.');
      text = cursor.all[cursor.index++] as string;
      continue;
    }
    if (text[0] === ']') return items;
    if (text[0] === ',') {
      if (expectsItem) throw new UnreadableOutput('There is a thought missing before a comma.');
      [expectsItem, text] = [true, text.slice(1)];
      continue;
    }
    if (!expectsItem) throw new UnreadableOutput('There is a comma missing between two thoughts.');
    if ('[{&*!'.includes(text[0] as string)) throw new UnreadableOutput('"thoughts" is no list of texts.');
    expectsItem = false;
    if (items.length === MAX_THOUGHTS) throwTooManyThoughts();
    const quote = text[0];
    if (quote === '"' || quote === "'") {
      const end = closingQuote(text.slice(1), quote);
      if (end < 0) throw new UnreadableOutput('A quotation mark in "thoughts" is not closed on its line.');
      items.push(unescapeQuoted(quote, text.slice(1, end + 1)));
      text = text.slice(end + 2);
    } else {
      const end = /[,\]]/.exec(text)?.index ?? text.length;
      items.push(text.slice(0, end).trim());
      text = text.slice(end);
    }
  }
}

export function skipIndented(cursor: LineCursor, parent: number): void {
  for (; cursor.index < cursor.all.length; cursor.index++) {
    const line = cursor.all[cursor.index] as string;
    const depth = leadingSpaces(line);
    const isInside = depth > parent || line.length === depth || (depth === parent && /^ *-( |$)/.test(line));
    if (!isInside) return;
  }
}

/** A single line break between texts becomes a space; of several, all but the first stay. */
function foldLines(lines: readonly string[]): string {
  const parts: string[] = [];
  let breaks = 0;
  for (const line of lines) {
    if (line === '') {
      breaks++;
      continue;
    }
    if (parts.length > 0) parts.push(breaks > 0 ? '\n'.repeat(breaks) : ' ');
    parts.push(line);
    breaks = 0;
  }
  return parts.join('');
}

function joinQuoted(lines: readonly string[], quote: string): string {
  // A backslash at the end of a line removes the line break.
  const parts: string[] = [];
  let breaks = -1;
  for (const [i, line] of lines.entries()) {
    const isLast = i === lines.length - 1;
    const text = isLast ? line : line.trimEnd();
    if (i > 0 && text.trim() === '' && !isLast) {
      breaks++;
      continue;
    }
    if (breaks >= 0) parts.push(breaks > 0 ? '\n'.repeat(breaks) : ' ');
    const isEscaped = quote === '"' && !isLast && endsWithEscape(text);
    parts.push(isEscaped ? text.slice(0, -1) : text);
    breaks = isEscaped ? -1 : 0;
  }
  return parts.join('');
}

function endsWithEscape(text: string): boolean {
  let count = 0;
  while (text.at(-1 - count) === '\\') count++;
  return count % 2 === 1;
}

function closingQuote(text: string, quote: string): number {
  for (let i = 0; i < text.length; i++) {
    if (quote === '"' && text[i] === '\\') i++;
    else if (text[i] === quote) {
      if (quote === '"' || text[i + 1] !== "'") return i;
      i++;
    }
  }
  return -1;
}

const ESCAPES: Readonly<Record<string, string>> = {
  ...{ 0: '\0', a: '\x07', b: '\b', t: '\t', '\t': '\t', n: '\n', v: '\v', f: '\f', r: '\r', e: '\x1b', ' ': ' ' },
  ...{ '"': '"', '/': '/', '\\': '\\', N: '\u0085', _: '\u00a0', L: '\u2028', P: '\u2029' },
};

function unescapeQuoted(quote: string, text: string): string {
  if (quote === "'") return text.replaceAll("''", "'");
  return text.replace(/\\(x[\da-fA-F]{2}|u[\da-fA-F]{4}|U[\da-fA-F]{8}|.)/gs, (_, code: string) => {
    if (code.length === 1) return ESCAPES[code] ?? code;
    const codePoint = Number.parseInt(code.slice(1), 16);
    return codePoint > 0x10ffff ? '\ufffd' : String.fromCodePoint(codePoint);
  });
}

function stripComment(text: string): string {
  const at = /(^|\s)#/.exec(text)?.index ?? -1;
  return at < 0 ? text.trimEnd() : text.slice(0, at).trimEnd();
}

function leadingSpaces(line: string): number {
  let count = 0;
  while (line[count] === ' ') count++;
  return count;
}
