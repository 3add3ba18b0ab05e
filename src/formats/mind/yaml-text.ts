import { MAX_THOUGHTS, tooMany, Unreadable } from './fields.ts';

/** Where the reader is; everything before `at` has been taken. */
export interface Lines {
  readonly all: readonly string[];
  at: number;
}

/** `|` and `>`: the lines that are indented deeper, without that indentation. */
export function blockText(lines: Lines, header: string, parent: number): string {
  const marks = /^([|>])([1-9]?)([+-]?)([1-9]?)\s*(#.*)?$/.exec(header);
  if (!marks)
    throw new Unreadable(
      `There is text on the line of "${header[0]}": ${JSON.stringify(header.slice(0, 40))}.`,
      'Begin it on the next line.',
    );
  const said = Number(marks[2] || marks[4] || 0);
  let indent = said > 0 ? parent + said : 0;
  const taken: string[] = [];
  for (; lines.at < lines.all.length; lines.at++) {
    const line = lines.all[lines.at] as string;
    const depth = spaces(line);
    if (line.length === depth) {
      taken.push(indent > 0 ? line.slice(indent) : '');
      continue;
    }
    if (indent === 0 && depth > parent) indent = depth;
    if (depth < indent || depth <= parent) break;
    taken.push(line.slice(indent));
  }
  while (taken.at(-1)?.trim() === '') taken.pop();
  return marks[1] === '|' ? taken.join('\n') : folded(taken);
}

/** Up to the comment, and on through the lines that are indented deeper; a line break there is a space. */
export function plainText(lines: Lines, first: string, parent: number): string {
  const taken = [first];
  for (; lines.at < lines.all.length; lines.at++) {
    const line = lines.all[lines.at] as string;
    const text = line.trim();
    if (text !== '' && (spaces(line) <= parent || text.startsWith('#'))) break;
    taken.push(text);
  }
  return folded(taken.map(withoutComment)).trim();
}

export function quotedText(lines: Lines, first: string, name: string): string {
  const quote = first[0] as '"' | "'";
  const taken: string[] = [];
  let line = first.slice(1);
  for (;;) {
    const end = endOf(line, quote);
    if (end >= 0) {
      const rest = line.slice(end + 1).trim();
      if (rest !== '' && !rest.startsWith('#')) {
        throw new Unreadable(`There is something behind the closing quotation mark of "${name}".`, `Use "${name}: |".`);
      }
      taken.push(line.slice(0, end));
      break;
    }
    if (lines.at >= lines.all.length) throw new Unreadable(`The quotation mark that opens "${name}" is never closed.`);
    taken.push(line);
    line = (lines.all[lines.at++] as string).trimStart();
  }
  return unquoted(quote, joined(taken, quote));
}

/** `[a, "b", 'c']`, over as many lines as it takes. */
export function listIn(lines: Lines, first: string): readonly string[] {
  let text = first.slice(1);
  const items: string[] = [];
  for (let expecting = true; ; ) {
    text = text.trimStart();
    if (text === '' || text.startsWith('#')) {
      if (lines.at >= lines.all.length) throw new Unreadable('The list of "thoughts" is not closed.');
      text = lines.all[lines.at++] as string;
      continue;
    }
    if (text[0] === ']') return items;
    if (text[0] === ',') {
      if (expecting) throw new Unreadable('There is a thought missing before a comma.');
      [expecting, text] = [true, text.slice(1)];
      continue;
    }
    if (!expecting) throw new Unreadable('There is a comma missing between two thoughts.');
    if ('[{&*!'.includes(text[0] as string)) throw new Unreadable('"thoughts" is no list of texts.');
    expecting = false;
    if (items.length === MAX_THOUGHTS) tooMany();
    const quote = text[0];
    if (quote === '"' || quote === "'") {
      const end = endOf(text.slice(1), quote);
      if (end < 0) throw new Unreadable('A quotation mark in "thoughts" is not closed on its line.');
      items.push(unquoted(quote, text.slice(1, end + 1)));
      text = text.slice(end + 2);
    } else {
      const end = /[,\]]/.exec(text)?.index ?? text.length;
      items.push(text.slice(0, end).trim());
      text = text.slice(end);
    }
  }
}

export function skipIndented(lines: Lines, parent: number): void {
  for (; lines.at < lines.all.length; lines.at++) {
    const line = lines.all[lines.at] as string;
    const depth = spaces(line);
    const within = depth > parent || line.length === depth || (depth === parent && /^ *-( |$)/.test(line));
    if (!within) return;
  }
}

/** A single line break between texts is a space; of several, all but the first stay. */
function folded(lines: readonly string[]): string {
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

function joined(lines: readonly string[], quote: string): string {
  // A backslash at the end of a line takes the break with it.
  const parts: string[] = [];
  let breaks = -1;
  for (const [i, line] of lines.entries()) {
    const last = i === lines.length - 1;
    const text = last ? line : line.trimEnd();
    if (i > 0 && text.trim() === '' && !last) {
      breaks++;
      continue;
    }
    if (breaks >= 0) parts.push(breaks > 0 ? '\n'.repeat(breaks) : ' ');
    const escaped = quote === '"' && !last && endsEscaped(text);
    parts.push(escaped ? text.slice(0, -1) : text);
    breaks = escaped ? -1 : 0;
  }
  return parts.join('');
}

function endsEscaped(text: string): boolean {
  let count = 0;
  while (text.at(-1 - count) === '\\') count++;
  return count % 2 === 1;
}

function endOf(text: string, quote: string): number {
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

function unquoted(quote: string, text: string): string {
  if (quote === "'") return text.replaceAll("''", "'");
  return text.replace(/\\(x[\da-fA-F]{2}|u[\da-fA-F]{4}|U[\da-fA-F]{8}|.)/gs, (_, code: string) => {
    if (code.length === 1) return ESCAPES[code] ?? code;
    const point = Number.parseInt(code.slice(1), 16);
    return point > 0x10ffff ? '\ufffd' : String.fromCodePoint(point);
  });
}

function withoutComment(text: string): string {
  const at = /(^|\s)#/.exec(text)?.index ?? -1;
  return at < 0 ? text.trimEnd() : text.slice(0, at).trimEnd();
}

function spaces(line: string): number {
  let count = 0;
  while (line[count] === ' ') count++;
  return count;
}
