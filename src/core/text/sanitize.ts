/*
 * Titles, nicknames, roles and ids are untrusted text, like messages. Where they appear among our own text, in a prompt
 * or in a list of lines, they become one bounded line without anything that could end it or look like a mark of the
 * model's own format (T22, M9). They may come from an older log or an imported file, so nothing is assumed about them.
 */

/** Everything that some program treats as a line break. */
export const LINE_BREAK = /\r\n|[\n\r\v\f\u0085\u2028\u2029]/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
export const CONTROL_CHARS = /[\u0000-\u0008\u000e-\u001f\u007f-\u0084\u0086-\u009f\u202a-\u202e\u2066-\u2069]/g;
/** Marks that separate turns in chat templates: a model server may interpret them in any text. */
const TEMPLATE_MARKS = /<(?=\|)|\|(?=>)|<(?=\/?s>)|\[(?=\/?INST\])|<(?=<\/?SYS>>)|<(?=(?:start|end)_of_turn>)/g;
const DEFAULT_MAX_LENGTH = 200;

/** A name or title as one line of at most `maxLength` characters. */
export function sanitizeLine(text: unknown, maxLength = DEFAULT_MAX_LENGTH): string {
  const fullText = typeof text === 'string' ? text : (JSON.stringify(text) ?? '');
  // Cut first, so that the cost depends on the length kept and not on the length of the input.
  const truncated = fullText.slice(0, 8 * maxLength).toWellFormed();
  const line = escapeTemplateMarks(
    truncated.split(LINE_BREAK).join(' ').replaceAll('\t', ' ').replace(CONTROL_CHARS, '\ufffd'),
  ).trim();
  const chars = Array.from(line);
  return chars.length <= maxLength && truncated.length === fullText.length
    ? line
    : `${chars.slice(0, maxLength - 1).join('')}…`;
}

/** The same line in quotation marks, which its text cannot close. */
export function quoteLine(text: unknown, maxLength = DEFAULT_MAX_LENGTH): string {
  return `"${sanitizeLine(text, maxLength).replaceAll('"', "'")}"`;
}

/**
 * A text with its author on the first line. Each further line starts with a bar, so that it cannot pass for a first
 * line.
 */
export function attributeText(name: unknown, text: string): string {
  const [first = '', ...rest] = text.replace(CONTROL_CHARS, '\ufffd').split(LINE_BREAK).map(escapeTemplateMarks);
  return [`${sanitizeLine(name, 64)}: ${first}`, ...rest.map((line) => (line === '' ? '|' : `| ${line}`))].join('\n');
}

export function escapeTemplateMarks(line: string): string {
  return line.replace(TEMPLATE_MARKS, '$& ');
}
