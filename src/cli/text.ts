/*
 * What others wrote is shown, never obeyed: characters that could move the
 * cursor, change colours or reverse the direction of text are made visible.
 */

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;
const DIRECTIONS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
const BREAKS = /\r\n|[\r\u2028\u2029]/g;

/** Text of several lines, safe for a terminal. */
export function visible(text: string): string {
  return text.replace(BREAKS, '\n').replaceAll('\t', '    ').replace(CONTROLS, pictureOf).replace(DIRECTIONS, codeOf);
}

/** The same on one line. */
export function oneLine(text: string): string {
  return visible(text)
    .replace(/\s*\n\s*/g, ' ')
    .trim();
}

/** JSON is safe but for a few characters it may hold as they are: these are escaped. */
export function safeJson(json: string): string {
  return json.replace(/[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g, (unit) => {
    return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}

function pictureOf(unit: string): string {
  const code = unit.charCodeAt(0);
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  return code === 0x7f ? '\u2421' : codeOf(unit);
}

function codeOf(unit: string): string {
  return `<U+${unit.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}>`;
}

/** Columns a terminal needs for this: east Asian letters and emoji take two, marks on a letter none. */
export function widthOf(text: string): number {
  if (PLAIN.test(text)) return text.length;
  let width = 0;
  for (const { segment } of graphemes().segment(text)) width += WIDE.test(segment) ? 2 : NARROW.test(segment) ? 1 : 0;
  return width;
}

/** Letters and signs of one column each, for which nothing has to be looked up: Latin, Greek, Cyrillic. */
const PLAIN = /^[ -~\u00a0-\u02ff\u0370-\u0482\u048a-\u052f\u2010-\u2027\u2030-\u203b\u2190-\u2199]*$/;
const WIDE =
  /^[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|^\p{Emoji_Presentation}|\ufe0f/u;
const NARROW = /[^\p{Mark}\p{Format}\u200b]/u;

let segmenter: Intl.Segmenter | undefined;

/** Made when first needed: it takes longer to make than most commands have to say. */
function graphemes(): Intl.Segmenter {
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' });
  return segmenter;
}

/** Breaks text at spaces; a word longer than a line is cut. Lines the author broke stay broken. */
export function wrap(text: string, width: number): string[] {
  return text.split('\n').flatMap((line) => wrapLine(line, Math.max(width, 8)));
}

function wrapLine(line: string, width: number): string[] {
  if (widthOf(line) <= width) return [line];
  const lines: string[] = [];
  let current = '';
  let used = 0;
  for (const word of line.split(/(?<= )/)) {
    const bare = widthOf(word.trimEnd());
    if (used + bare > width && used > 0) {
      lines.push(current.trimEnd());
      current = '';
      used = 0;
    }
    if (bare <= width) {
      current += word;
      used += widthOf(word);
      continue;
    }
    for (const { segment } of graphemes().segment(word)) {
      const columns = widthOf(segment);
      if (used + columns > width) {
        lines.push(current);
        current = '';
        used = 0;
      }
      current += segment;
      used += columns;
    }
  }
  lines.push(current.trimEnd());
  return lines;
}

/** The beginning of a text, in at most so many columns. */
export function shorten(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  let short = '';
  let used = 1;
  for (const { segment } of graphemes().segment(text)) {
    used += widthOf(segment);
    if (used > width) break;
    short += segment;
  }
  return `${short}…`;
}

export function padEnd(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - widthOf(text)));
}
