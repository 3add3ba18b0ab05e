/*
 * Text by others must never control the terminal: characters that could move
 * the cursor, change colours or reverse the text direction are made visible.
 */

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;
const DIRECTIONS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
const BREAKS = /\r\n|[\r\u2028\u2029]/g;

/** Text of several lines, safe for a terminal. */
export function sanitize(text: string): string {
  return text
    .replace(BREAKS, '\n')
    .replaceAll('\t', '    ')
    .replace(CONTROLS, controlPicture)
    .replace(DIRECTIONS, codePointLabel);
}

/** The same on one line. */
export function oneLine(text: string): string {
  const lines = sanitize(text).split('\n');
  return lines
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join(' ');
}

/** Escapes the few unsafe characters that JSON allows unescaped. */
export function escapeJson(json: string): string {
  return json.replace(/[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g, (unit) => {
    return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}

function controlPicture(unit: string): string {
  const code = unit.charCodeAt(0);
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  return code === 0x7f ? '\u2421' : codePointLabel(unit);
}

function codePointLabel(unit: string): string {
  return `<U+${unit.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}>`;
}

/** The terminal columns of a text: East Asian letters and emoji take two, combining marks none. */
export function widthOf(text: string): number {
  if (PLAIN.test(text)) return text.length;
  let width = 0;
  for (const { columns } of graphemesOf(text)) width += columns;
  return width;
}

interface Grapheme {
  readonly text: string;
  readonly columns: number;
}

const PLAIN = /^[ -~]*$/;
const ZERO_WIDTH = /^[\p{Mark}\p{Format}\p{Emoji_Modifier}\u200b]$/u;
const WIDE =
  /^[\u1100-\u115f\u231a\u231b\u23e9-\u23f3\u2614\u2615\u2648-\u2653\u26a1\u26bd\u26be\u2705\u2728\u274c\u2753-\u2757\u2795-\u2797\u2b50\u2b55\u2e80-\u303e\u3041-\u4dbf\u4e00-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]$/u;
const JOINED = /\p{Extended_Pictographic}[\p{Mark}\p{Emoji_Modifier}]{0,4}\u200d$/u;
const PICTURE = /^\p{Extended_Pictographic}$/u;

/** Splits text into units that must stay together: a letter with its marks, an emoji with everything joined to it. */
function graphemesOf(text: string): readonly Grapheme[] {
  if (PLAIN.test(text)) return Array.from(text, (unit) => ({ text: unit, columns: 1 }));
  const graphemes: { text: string; columns: number }[] = [];
  for (const codePoint of text) {
    const last = graphemes.at(-1);
    // A joiner merges only emoji. Between letters it is a zero-width character.
    const isJoined = last && PICTURE.test(codePoint) && JOINED.test(last.text.slice(-8));
    const extendsLast = last && (isJoined || (codePoint > '\u02ff' && ZERO_WIDTH.test(codePoint)));
    if (extendsLast) last.text += codePoint;
    else graphemes.push({ text: codePoint, columns: columnsOf(codePoint) });
  }
  return graphemes;
}

function columnsOf(codePoint: string): number {
  if (codePoint < '\u0300') return 1;
  return WIDE.test(codePoint) ? 2 : ZERO_WIDTH.test(codePoint) ? 0 : 1;
}

/** Wraps text at spaces and cuts words longer than a line. The author's line breaks stay. */
export function wrap(text: string, width: number): string[] {
  return text.split('\n').flatMap((line) => wrapLine(line, Math.max(width, 8)));
}

function wrapLine(line: string, width: number): string[] {
  if (widthOf(line) <= width) return [line];
  const lines: string[] = [];
  let current = '';
  let usedColumns = 0;
  function endLine() {
    lines.push(current.trimEnd());
    current = '';
    usedColumns = 0;
  }
  for (const word of line.split(/(?<= )/)) {
    const bare = widthOf(word.trimEnd());
    if (usedColumns + bare > width && usedColumns > 0) endLine();
    for (const grapheme of bare <= width ? [{ text: word, columns: widthOf(word) }] : graphemesOf(word)) {
      if (usedColumns + grapheme.columns > width && bare > width) endLine();
      current += grapheme.text;
      usedColumns += grapheme.columns;
    }
  }
  endLine();
  return lines;
}

/** The beginning of a text, in at most `width` columns. */
export function shorten(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  let short = '';
  let usedColumns = 1;
  for (const grapheme of graphemesOf(text)) {
    usedColumns += grapheme.columns;
    if (usedColumns > width) break;
    short += grapheme.text;
  }
  return `${short}…`;
}

export function padEnd(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - widthOf(text)));
}

/** The last words of a text, in at most `width` columns. */
export function shortenStart(text: string, width: number): string {
  if (width <= 0) return '';
  if (widthOf(text) <= width) return text;
  const graphemes = graphemesOf(text);
  let [from, usedColumns] = [graphemes.length, 1];
  for (; from > 0; from--) {
    usedColumns += (graphemes[from - 1] as Grapheme).columns;
    if (usedColumns > width) break;
  }
  const last = graphemes.slice(from).map((grapheme) => grapheme.text);
  return `…${last.join('')}`;
}
