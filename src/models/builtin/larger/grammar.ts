/*
 * What a hole of a frame may be filled with, as a GBNF grammar: it does not begin blank or with a stop text, and has no
 * control characters but line breaks. Until there is one good character, the model cannot end.
 */
const CONTROL_CHARS = '\\x00-\\x09\\x0b-\\x1f\\x7f-\\x9f\\u2028\\u2029';
const BLANK_CHARS = '\\x00-\\x20\\x7f-\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000\\ufeff';

/** `pendingSpace`: the space that was before the hole and is left to its first token, where models expect it. */
export function holeGrammar(stops: readonly string[], pendingSpace: string): string {
  const bannedChars = stops.map((stop) => escapeFirstChar(stop)).join('');
  return `root ::= ${pendingSpace === '' ? '' : `"${pendingSpace}" `}[^${BLANK_CHARS}${bannedChars}] [^${CONTROL_CHARS}]*`;
}

/** Free text, but for the space it owes. */
export function spaceGrammar(pendingSpace: string): string {
  return `root ::= "${pendingSpace}" [^\\x00]*`;
}

function escapeFirstChar(stop: string): string {
  const code = stop.codePointAt(0) ?? 0;
  return `\\U${code.toString(16).padStart(8, '0')}`;
}
