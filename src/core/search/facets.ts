/** What a text can be filtered by, as words no text has: an index needs nothing else for it. */
export type Facet = 'kind' | 'from' | 'thread';

const SIGN = '\u00a6';
const LETTER: Record<Facet, string> = { kind: 'k', from: 'f', thread: 't' };

/** Capitals and punctuation are spelled out, for indexes that split or fold by them. */
export function facetWord(facet: Facet, value: string): string {
  const spelled = value.replace(/[^a-z0-9]/gu, (sign) => `${SIGN}${sign.codePointAt(0)?.toString(36)}${SIGN}`);
  return `${LETTER[facet]}${SIGN}${spelled}`;
}
