/**
 * Filters for search. Each is indexed as a word that no text contains, so an index needs no other support for filters.
 */
export type Facet = 'kind' | 'from' | 'thread';

const SEPARATOR = '\u00a6';
const PREFIXES: Record<Facet, string> = { kind: 'k', from: 'f', thread: 't' };

/** Escapes capitals and punctuation, because some indexes split or fold them. */
export function facetWord(facet: Facet, value: string): string {
  const escaped = value.replace(
    /[^a-z0-9]/gu,
    (sign) => `${SEPARATOR}${sign.codePointAt(0)?.toString(36)}${SEPARATOR}`,
  );
  return `${PREFIXES[facet]}${SEPARATOR}${escaped}`;
}
