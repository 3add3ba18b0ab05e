import type { ThreadState } from './state.ts';

/** All that is needed to know who is called what. */
type Named = Pick<ThreadState, 'participants'>;

export interface Mentions {
  /** `@all`, which reaches every invited agent when a human writes it. */
  readonly all: boolean;
  readonly ids: readonly string[];
  /** Names that more than one participant goes by. */
  readonly ambiguous: readonly { readonly name: string; readonly ids: readonly string[] }[];
}

const NOBODY: Mentions = { all: false, ids: [], ambiguous: [] };
const CODE = /```[\s\S]*?(?:```|$)|~~~[\s\S]*?(?:~~~|$)|(`+)(?!`)[\s\S]*?[^`]\1(?!`)/g;
/** Not behind a letter, a digit or what stands in addresses: `me@example.org` mentions nobody. */
const MENTION = /(?<![\p{L}\p{N}_.@+/-])@([\p{L}\p{N}](?:[\p{L}\p{N}._ -]{0,63}[\p{L}\p{N}])?)/gu;

/** Whom a text mentions: by id, else by nickname, else by role, client or model (T14). */
export function mentionsIn(state: Named, text: string): Mentions {
  if (!text.includes('@')) return NOBODY;
  const prose = text.replace(CODE, ' ');
  const ids = new Set<string>();
  const ambiguous: { name: string; ids: readonly string[] }[] = [];
  let all = false;
  for (const [, rest = ''] of prose.matchAll(MENTION)) {
    const [name, meant] = longestName(state, rest.toLowerCase());
    if (name === 'all') all = true;
    else if (meant.length > 1) ambiguous.push({ name, ids: meant });
    else for (const id of meant) ids.add(id);
  }
  return { all, ids: [...ids], ambiguous };
}

/** Nicknames and models may have blanks in them, so a mention reaches as far as somebody is called that. */
function longestName(state: Named, rest: string): readonly [string, readonly string[]] {
  for (let name = rest; name !== ''; name = name.slice(0, -1).replace(/[^\p{L}\p{N}]+$/u, '')) {
    // Cut where a word ends: "@annabel" does not mention Anna.
    if (name !== rest && /^[\p{L}\p{N}_]/u.test(rest.slice(name.length))) continue;
    if (name === 'all') return [name, []];
    const meant = called(state, name);
    if (meant.length > 0) return [name, meant];
  }
  return ['', []];
}

function called(state: Named, name: string): readonly string[] {
  if (state.participants[name]) return [name];
  const others = Object.entries(state.participants);
  const nicknamed = others.filter(([, { profile }]) => profile.nickname?.toLowerCase() === name);
  const found = nicknamed.length > 0 ? nicknamed : others.filter(([, { profile }]) => describes(profile, name));
  return found.map(([id]) => id);
}

function describes(
  { roles = [], client, model }: ThreadState['participants'][string]['profile'],
  name: string,
): boolean {
  return [...roles, client, model].some((label) => label?.toLowerCase() === name);
}
