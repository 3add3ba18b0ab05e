import { type TextKind, textKinds } from '../../src/core/search/kinds.ts';

/** A search filter as typed: `kind:draft`. */
export interface SearchFilter {
  readonly name: 'kind' | 'from' | 'after' | 'before' | 'tag' | 'in';
  readonly value: string;
}

export interface PaletteQuery {
  readonly words: string;
  readonly filters: readonly SearchFilter[];
}

const FILTER = /(^|\s)(kind|from|after|before|tag|in):(?:"([^"]*)"|(\S+))(?=\s|$)/gi;

/** Takes the filters that are followed by a space out of a text: a space finishes a filter. */
export function extractFilters(text: string): PaletteQuery {
  const lastWord = text.slice(text.search(/\s\S*$/) + 1);
  const { words, filters } = parseQuery(text.slice(0, text.length - lastWord.length));
  if (filters.length === 0) return { words: text, filters };
  return { words: [words, lastWord].filter(Boolean).join(' '), filters };
}

/** Splits a text into its filters and the rest. */
export function parseQuery(text: string): PaletteQuery {
  const filters: SearchFilter[] = [];
  const words = text.replace(FILTER, (_, before: string, name: string, quoted?: string, bare?: string) => {
    filters.push({ name: name.toLowerCase() as SearchFilter['name'], value: quoted ?? bare ?? '' });
    return before;
  });
  return { words: words.replace(/\s+/g, ' ').trim(), filters };
}

export type PaletteSearchRequest = { readonly q: string } & Partial<Record<SearchParameter, string>>;
type SearchParameter = Exclude<SearchFilter['name'], 'in'> | 'thread';

/** Finds the thread named after `in:`: the open one, or the most recent one whose title contains the words. */
type ThreadFinder = (words: string) => string | undefined;

/** The search request; a sentence if a filter is invalid; undefined if there is nothing to search for. */
export function buildSearchRequest(
  { words, filters }: PaletteQuery,
  findThread: ThreadFinder,
): PaletteSearchRequest | string | undefined {
  const request: Partial<Record<SearchParameter, string>> = {};
  for (const { name, value } of filters) {
    if (name === 'in') {
      const thread = findThread(value);
      if (!thread) return `There is no thread “${value}”.`;
      request.thread = thread;
    } else if (name === 'kind') {
      const kind = value.toLowerCase().replace(/s$/, '');
      if (!textKinds.includes(kind as TextKind))
        return `There is no kind “${value}”. The kinds are ${textKinds.join(', ')}.`;
      request.kind = [request.kind, kind].filter(Boolean).join(',');
    } else request[name] = value;
  }
  if (words.length < 2 && filters.length === 0) return undefined;
  return { q: withPrefixWildcard(words), ...request };
}

/** While the person is typing, the last word matches every word that starts with it. */
function withPrefixWildcard(words: string): string {
  return /[\p{L}\p{N}]$/u.test(words) ? `${words}*` : words;
}
