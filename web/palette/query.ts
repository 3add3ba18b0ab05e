import { type TextKind, textKinds } from '../../src/core/search/kinds.ts';

/** What narrows a search, as it was typed: `kind:draft`. */
export interface SearchFilter {
  readonly name: 'kind' | 'from' | 'after' | 'before' | 'in';
  readonly value: string;
}

export interface PaletteQuery {
  readonly words: string;
  readonly filters: readonly SearchFilter[];
}

const FILTER = /(^|\s)(kind|from|after|before|in):(?:"([^"]*)"|(\S+))(?=\s|$)/gi;

/** Filters in a text that are followed by a space, taken out of it: somebody who types on has finished them. */
export function extractFilters(text: string): PaletteQuery {
  const lastWord = text.slice(text.search(/\s\S*$/) + 1);
  const { words, filters } = parseQuery(text.slice(0, text.length - lastWord.length));
  if (filters.length === 0) return { words: text, filters };
  return { words: [words, lastWord].filter(Boolean).join(' '), filters };
}

/** All filters of a text, and what is left of it. */
export function parseQuery(text: string): PaletteQuery {
  const filters: SearchFilter[] = [];
  const words = text.replace(FILTER, (_, before: string, name: string, quoted?: string, bare?: string) => {
    filters.push({ name: name.toLowerCase() as SearchFilter['name'], value: quoted ?? bare ?? '' });
    return before;
  });
  return { words: words.replace(/\s+/g, ' ').trim(), filters };
}

export interface PaletteSearchRequest {
  readonly q: string;
  readonly kind?: string;
  readonly from?: string;
  readonly after?: string;
  readonly before?: string;
  readonly thread?: string;
}

/** A thread by what is said after `in:`: the one that is open, or the most recent whose title has the words. */
type ThreadFinder = (words: string) => string | undefined;

/** What to ask the workspace for; a sentence where a filter means nothing; undefined where there is nothing to ask. */
export function buildSearchRequest(
  { words, filters }: PaletteQuery,
  findThread: ThreadFinder,
): PaletteSearchRequest | string | undefined {
  const request: { -readonly [Name in keyof PaletteSearchRequest]?: string } = {};
  for (const { name, value } of filters) {
    if (name === 'in') {
      const thread = findThread(value);
      if (!thread) return `No thread is called “${value}”.`;
      request.thread = thread;
    } else if (name === 'kind') {
      const kind = value.toLowerCase().replace(/s$/, '');
      if (!textKinds.includes(kind as TextKind))
        return `There is no kind “${value}”. There are: ${textKinds.join(', ')}.`;
      request.kind = [request.kind, kind].filter(Boolean).join(',');
    } else request[name] = value;
  }
  if (words.length < 2 && filters.length === 0) return undefined;
  return { q: withPrefixWildcard(words), ...request };
}

/** Somebody who is still typing means every word that begins like the last one. */
function withPrefixWildcard(words: string): string {
  return /[\p{L}\p{N}]$/u.test(words) ? `${words}*` : words;
}
