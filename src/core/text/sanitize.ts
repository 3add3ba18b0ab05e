/*
 * Titles, nicknames, roles and ids are others' words as much as messages are. Where they stand among our own, in a prompt
 * or in a list of lines, they are one bounded line without anything that could end it or look like a mark of the model's
 * own format (T22, M9). They may come from an older log or another's file, so nothing is taken for granted about them.
 */

/** Everything some reader takes for a new line. */
export const LINE_BREAK = /\r\n|[\n\r\v\f\u0085\u2028\u2029]/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
export const CONTROLS = /[\u0000-\u0008\u000e-\u001f\u007f-\u0084\u0086-\u009f\u202a-\u202e\u2066-\u2069]/g;
/** The marks by which chat templates tell turns apart: a server may read them in any text. */
const MARKS = /<(?=\|)|\|(?=>)|<(?=\/?s>)|\[(?=\/?INST\])|<(?=<\/?SYS>>)|<(?=(?:start|end)_of_turn>)/g;
const LONGEST = 200;

/** A name or title on one line, of at most so many characters. */
export function dataLine(text: unknown, longest = LONGEST): string {
  const whole = typeof text === 'string' ? text : (JSON.stringify(text) ?? '');
  // Cut first: what comes after costs as much as is kept, and not as much as was written.
  const bounded = whole.slice(0, 8 * longest).toWellFormed();
  const line = disarmed(bounded.split(LINE_BREAK).join(' ').replaceAll('\t', ' ').replace(CONTROLS, '\ufffd')).trim();
  const letters = Array.from(line);
  return letters.length <= longest && bounded.length === whole.length
    ? line
    : `${letters.slice(0, longest - 1).join('')}…`;
}

/** The same between quotation marks that nothing in it can close. */
export function inQuotes(text: unknown, longest = LONGEST): string {
  return `"${dataLine(text, longest).replaceAll('"', "'")}"`;
}

/** A text behind a first line that says whose it is: each further line stands behind a bar, so none can look like one. */
export function underOneName(name: unknown, text: string): string {
  const [first = '', ...rest] = text.replace(CONTROLS, '\ufffd').split(LINE_BREAK).map(disarmed);
  return [`${dataLine(name, 64)}: ${first}`, ...rest.map((line) => (line === '' ? '|' : `| ${line}`))].join('\n');
}

export function disarmed(line: string): string {
  return line.replace(MARKS, '$& ');
}
