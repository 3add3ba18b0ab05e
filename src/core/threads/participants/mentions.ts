import { stripCode } from '../../text/strip-code.ts';
import { trimEndWhile } from '../../text/trim-end.ts';
import type { ThreadState } from '../state.ts';

/** The part of the state that is needed to resolve names. */
type MentionScope = Pick<ThreadState, 'participants'>;

export interface Mentions {
  /** `@all`, which reaches every invited agent when a human writes it. */
  readonly all: boolean;
  readonly ids: readonly string[];
  /** Names shared by more than one participant. */
  readonly ambiguous: readonly { readonly name: string; readonly ids: readonly string[] }[];
  /** Names that match nobody here, as written. */
  readonly unknown: readonly string[];
}

export const NO_MENTIONS: Mentions = { all: false, ids: [], ambiguous: [], unknown: [] };
/** Does not match after a letter, a digit or a character used in addresses: `me@example.org` mentions nobody. */
const MENTION = /(?<![\p{L}\p{N}_.@+/-])@([\p{L}\p{N}](?:[\p{L}\p{N}._ -]{0,63}[\p{L}\p{N}])?)/gu;

/** Maximum number of mentions per text: resolving each one takes time, and a text can hold 250,000 (T23). */
const MAX_MENTIONS = 256;
const MAX_UNKNOWN = 8;

/** Finds the participants that a text mentions: by id, else by nickname, else by role, client or model (T14). */
export function mentionsIn(state: MentionScope, text: string): Mentions {
  if (!text.includes('@')) return NO_MENTIONS;
  const prose = stripCode(text);
  const ids = new Set<string>();
  const ambiguous: { name: string; ids: readonly string[] }[] = [];
  const unknown = new Set<string>();
  let all = false;
  let count = 0;
  for (const [, rest = ''] of prose.matchAll(MENTION)) {
    if (++count > MAX_MENTIONS) break;
    const [name, matches] = resolveLongestName(state, rest);
    if (name === 'all') all = true;
    else if (matches.length > 1) ambiguous.push({ name, ids: matches });
    else if (matches.length === 0 && unknown.size < MAX_UNKNOWN) unknown.add(firstWord(rest));
    else for (const id of matches) ids.add(id);
  }
  return { all, ids: [...ids], ambiguous, unknown: [...unknown] };
}

/** Nicknames and models may contain spaces, so a mention is matched to the longest name that fits. */
function resolveLongestName({ participants }: MentionScope, text: string): readonly [string, readonly string[]] {
  const names = nameIndexOf(participants);
  const rest = text.toLowerCase();
  for (let name = rest; name !== ''; name = trimEndWhile(name.slice(0, -1), isSeparator)) {
    // A name must end at a word boundary: "@annabel" does not mention Anna.
    if (name !== rest && /^[\p{L}\p{N}_]/u.test(rest.slice(name.length))) continue;
    if (name === 'all') return [name, []];
    const matches = names.get(name);
    if (!matches) continue;
    // If two ids differ only in case, the exact spelling wins.
    const exact = text.slice(0, name.length);
    return [name, matches.length > 1 && matches.includes(exact) ? [exact] : matches];
  }
  return ['', []];
}

function firstWord(rest: string): string {
  return trimEndWhile(rest.split(' ')[0] ?? '', isSeparator);
}

function isSeparator(char: string): boolean {
  return /[^\p{L}\p{N}]/u.test(char);
}

type NameIndex = ReadonlyMap<string, readonly string[]>;

/** Caches the names until a participant joins or changes, because every message looks them up. */
const nameIndexCache = new WeakMap<MentionScope['participants'], NameIndex>();

function nameIndexOf(participants: MentionScope['participants']): NameIndex {
  const cached = nameIndexCache.get(participants);
  if (cached) return cached;
  const entries = Object.entries(participants);
  const ids = indexNames(entries.map(([id]) => [id, id]));
  const nicknames = indexNames(entries.map(([id, { profile }]) => [id, profile.nickname]));
  const labels = indexNames(
    entries.flatMap(([id, { profile }]) =>
      [...(profile.roles ?? []), profile.client, profile.model].map((label) => [id, label] as const),
    ),
  );
  const names = new Map([...labels, ...nicknames, ...ids]);
  nameIndexCache.set(participants, names);
  return names;
}

function indexNames(pairs: readonly (readonly [id: string, name: string | undefined])[]): NameIndex {
  const names = new Map<string, string[]>();
  for (const [id, name] of pairs) {
    if (name === undefined) continue;
    const key = name.toLowerCase();
    const existing = names.get(key) ?? [];
    if (!existing.includes(id)) names.set(key, [...existing, id]);
  }
  return names;
}
