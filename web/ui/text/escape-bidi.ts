/** Invisible characters that reorder text (Unicode's Bidi_Control), with the short name of each. */
const BIDI_NAMES: Readonly<Record<string, string>> = {
  '\u061c': 'ALM',
  '\u200e': 'LRM',
  '\u200f': 'RLM',
  '\u202a': 'LRE',
  '\u202b': 'RLE',
  '\u202c': 'PDF',
  '\u202d': 'LRO',
  '\u202e': 'RLO',
  '\u2066': 'LRI',
  '\u2067': 'RLI',
  '\u2068': 'FSI',
  '\u2069': 'PDI',
};
const BIDI_PATTERN = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** The text with bidi controls spelled out, so that it reads as it was written. */
export function escapeBidi(text: string): string {
  return text.replace(BIDI_PATTERN, (char) => `[${BIDI_NAMES[char]}]`);
}
