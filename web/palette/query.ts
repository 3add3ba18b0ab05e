import { type TextKind, textKinds } from '../../src/core/search/kinds.ts';

/** What narrows a search, as it was typed: `kind:draft`. */
export interface Filter {
  readonly name: 'kind' | 'from' | 'after' | 'before' | 'in';
  readonly value: string;
}

export interface Query {
  readonly words: string;
  readonly filters: readonly Filter[];
}

const FILTER = /(^|\s)(kind|from|after|before|in):(?:"([^"]*)"|(\S+))(?=\s|$)/gi;

/** Filters in a text that are followed by a space, taken out of it: somebody who types on has finished them. */
export function takeFilters(text: string): Query {
  const last = text.slice(text.search(/\s\S*$/) + 1);
  const { words, filters } = readQuery(text.slice(0, text.length - last.length));
  if (filters.length === 0) return { words: text, filters };
  return { words: [words, last].filter(Boolean).join(' '), filters };
}

/** All filters of a text, and what is left of it. */
export function readQuery(text: string): Query {
  const filters: Filter[] = [];
  const words = text.replace(FILTER, (_, before: string, name: string, quoted?: string, bare?: string) => {
    filters.push({ name: name.toLowerCase() as Filter['name'], value: quoted ?? bare ?? '' });
    return before;
  });
  return { words: words.replace(/\s+/g, ' ').trim(), filters };
}

export interface SearchWish {
  readonly q: string;
  readonly kind?: string;
  readonly from?: string;
  readonly after?: string;
  readonly before?: string;
  readonly thread?: string;
}

/** A thread by what is said after `in:`: the one that is open, or the most recent whose title has the words. */
type ThreadNamed = (words: string) => string | undefined;

/** What to ask the workspace for; a sentence where a filter means nothing; undefined where there is nothing to ask. */
export function searchFor({ words, filters }: Query, threadNamed: ThreadNamed): SearchWish | string | undefined {
  const wish: { -readonly [Name in keyof SearchWish]?: string } = {};
  for (const { name, value } of filters) {
    if (name === 'in') {
      const thread = threadNamed(value);
      if (!thread) return `No thread is called “${value}”.`;
      wish.thread = thread;
    } else if (name === 'kind') {
      const kind = value.toLowerCase().replace(/s$/, '');
      if (!textKinds.includes(kind as TextKind))
        return `There is no kind “${value}”. There are: ${textKinds.join(', ')}.`;
      wish.kind = [wish.kind, kind].filter(Boolean).join(',');
    } else wish[name] = value;
  }
  if (words.length < 2 && filters.length === 0) return undefined;
  return { q: beginning(words), ...wish };
}

/** Somebody who is still typing means every word that begins like the last one. */
function beginning(words: string): string {
  return /[\p{L}\p{N}]$/u.test(words) ? `${words}*` : words;
}
