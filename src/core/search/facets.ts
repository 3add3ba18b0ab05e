/** What a text can be filtered by, as words no text has: an index needs nothing else for it. */
export type Facet = 'kind' | 'from' | 'thread';

const SEPARATOR = '\u00a6';
const PREFIXES: Record<Facet, string> = { kind: 'k', from: 'f', thread: 't' };

/** Capitals and punctuation are spelled out, for indexes that split or fold by them. */
export function facetWord(facet: Facet, value: string): string {
  const escaped = value.replace(
    /[^a-z0-9]/gu,
    (sign) => `${SEPARATOR}${sign.codePointAt(0)?.toString(36)}${SEPARATOR}`,
  );
  return `${PREFIXES[facet]}${SEPARATOR}${escaped}`;
}
