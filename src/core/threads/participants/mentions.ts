import { withoutCode } from '../../text/strip-code.ts';
import { withoutEnd } from '../../text/trim-end.ts';
import type { ThreadState } from '../state.ts';

/** All that is needed to know who is called what. */
type Named = Pick<ThreadState, 'participants'>;

export interface Mentions {
  /** `@all`, which reaches every invited agent when a human writes it. */
  readonly all: boolean;
  readonly ids: readonly string[];
  /** Names that more than one participant goes by. */
  readonly ambiguous: readonly { readonly name: string; readonly ids: readonly string[] }[];
  /** Names that nobody here goes by, as they were written. */
  readonly unknown: readonly string[];
}

export const NOBODY: Mentions = { all: false, ids: [], ambiguous: [], unknown: [] };
/** Not behind a letter, a digit or what stands in addresses: `me@example.org` mentions nobody. */
const MENTION = /(?<![\p{L}\p{N}_.@+/-])@([\p{L}\p{N}](?:[\p{L}\p{N}._ -]{0,63}[\p{L}\p{N}])?)/gu;

/** So many of a text count: finding out whom each of them means takes a while, and a text can hold 250,000 (T23). */
const MOST = 256;
const MOST_UNKNOWN = 8;

/** Whom a text mentions: by id, else by nickname, else by role, client or model (T14). */
export function mentionsIn(state: Named, text: string): Mentions {
  if (!text.includes('@')) return NOBODY;
  const prose = withoutCode(text);
  const ids = new Set<string>();
  const ambiguous: { name: string; ids: readonly string[] }[] = [];
  const unknown = new Set<string>();
  let all = false;
  let count = 0;
  for (const [, rest = ''] of prose.matchAll(MENTION)) {
    if (++count > MOST) break;
    const [name, meant] = longestName(state, rest);
    if (name === 'all') all = true;
    else if (meant.length > 1) ambiguous.push({ name, ids: meant });
    else if (meant.length === 0 && unknown.size < MOST_UNKNOWN) unknown.add(firstWord(rest));
    else for (const id of meant) ids.add(id);
  }
  return { all, ids: [...ids], ambiguous, unknown: [...unknown] };
}

/** Nicknames and models may have blanks in them, so a mention reaches as far as somebody is called that. */
function longestName({ participants }: Named, written: string): readonly [string, readonly string[]] {
  const names = namesOf(participants);
  const rest = written.toLowerCase();
  for (let name = rest; name !== ''; name = withoutEnd(name.slice(0, -1), isBetweenWords)) {
    // Cut where a word ends: "@annabel" does not mention Anna.
    if (name !== rest && /^[\p{L}\p{N}_]/u.test(rest.slice(name.length))) continue;
    if (name === 'all') return [name, []];
    const meant = names.get(name);
    if (!meant) continue;
    // Of two ids that differ only in case, the one that is written is meant.
    const exact = written.slice(0, name.length);
    return [name, meant.length > 1 && meant.includes(exact) ? [exact] : meant];
  }
  return ['', []];
}

function firstWord(rest: string): string {
  return withoutEnd(rest.split(' ')[0] ?? '', isBetweenWords);
}

function isBetweenWords(char: string): boolean {
  return /[^\p{L}\p{N}]/u.test(char);
}

type Names = ReadonlyMap<string, readonly string[]>;

/** Who goes by which name, as long as nobody comes or changes: found once, for asking is done at every message. */
const known = new WeakMap<Named['participants'], Names>();

function namesOf(participants: Named['participants']): Names {
  const found = known.get(participants);
  if (found) return found;
  const all = Object.entries(participants);
  const ids = called(all.map(([id]) => [id, id]));
  const nicknames = called(all.map(([id, { profile }]) => [id, profile.nickname]));
  const labels = called(
    all.flatMap(([id, { profile }]) =>
      [...(profile.roles ?? []), profile.client, profile.model].map((label) => [id, label] as const),
    ),
  );
  const names = new Map([...labels, ...nicknames, ...ids]);
  known.set(participants, names);
  return names;
}

function called(pairs: readonly (readonly [id: string, name: string | undefined])[]): Names {
  const names = new Map<string, string[]>();
  for (const [id, name] of pairs) {
    if (name === undefined) continue;
    const key = name.toLowerCase();
    const others = names.get(key) ?? [];
    if (!others.includes(id)) names.set(key, [...others, id]);
  }
  return names;
}
