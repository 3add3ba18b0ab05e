/*
 * The GBNF grammar for a hole of a frame: the text does not start blank or with a stop text, and has no control
 * characters except line breaks. The model cannot end before one valid character.
 */
const CONTROL_CHARS = '\\x00-\\x09\\x0b-\\x1f\\x7f-\\x9f\\u2028\\u2029';
const BLANK_CHARS = '\\x00-\\x20\\x7f-\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000\\ufeff';

/** `pendingSpace` is the space before the hole; it is left to the first token, where models expect it. */
export function holeGrammar(stops: readonly string[], pendingSpace: string): string {
  const bannedChars = stops.map((stop) => escapeFirstChar(stop)).join('');
  return `root ::= ${pendingSpace === '' ? '' : `"${pendingSpace}" `}[^${BLANK_CHARS}${bannedChars}] [^${CONTROL_CHARS}]*`;
}

/** Free text that starts with the pending space. */
export function spaceGrammar(pendingSpace: string): string {
  return `root ::= "${pendingSpace}" [^\\x00]*`;
}

function escapeFirstChar(stop: string): string {
  const code = stop.codePointAt(0) ?? 0;
  return `\\U${code.toString(16).padStart(8, '0')}`;
}
