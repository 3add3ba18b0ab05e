import { type Mentions, mentionsIn } from '../../../../src/core/threads/participants/mentions.ts';
import type { WireThreadState } from '../../../../src/protocol/threads.ts';

/** A participant that a message can mention. */
export interface MentionOption {
  /** The text after the `@`. */
  readonly name: string;
  /** Further facts about the participant, in words. */
  readonly about: string;
}

type MentionParticipant = WireThreadState['participants'][number];

const MENTION_BEFORE = /(?<![\p{L}\p{N}_.@+/-])@([\p{L}\p{N}._-]{0,64})$/u;
const MAX_OPTIONS = 8;

/** The mention being typed at the caret. */
export function mentionAt(text: string, caret: number): { readonly start: number; readonly query: string } | undefined {
  const before = text.slice(0, caret);
  const query = MENTION_BEFORE.exec(before)?.[1];
  if (query === undefined || isInCode(before)) return undefined;
  return { start: caret - query.length - 1, query: query.toLowerCase() };
}

/** Participants it could refer to, likeliest first; empty if the mention is already complete. */
export function mentionOptions(
  participants: readonly MentionParticipant[],
  me: string,
  query: string,
): readonly MentionOption[] {
  const others = participants.filter(({ id }) => id !== me);
  const ranked = others
    .map((participant) => ({ participant, rank: rankOf(participant, query) }))
    .filter(({ rank }) => rank < NO_MATCH)
    .sort((a, b) => a.rank - b.rank);
  const matches = ranked.map(({ participant }) => ({ name: participant.id, about: describeParticipant(participant) }));
  const hasAgents = others.some(({ invited, profile }) => invited && profile.kind !== 'human');
  const everyone = hasAgents && 'all'.startsWith(query) ? [{ name: 'all', about: 'every invited agent' }] : [];
  const shown = [...matches, ...everyone].slice(0, MAX_OPTIONS);
  return shown.length === 1 && shown[0]?.name === query ? [] : shown;
}

/** The text with the mention completed, and the new caret position. */
export function insertMention(
  text: string,
  { start, end, name }: { readonly start: number; readonly end: number; readonly name: string },
): { readonly text: string; readonly caret: number } {
  const rest = text.slice(end).replace(/^ /, '');
  const head = `${text.slice(0, start)}@${name} `;
  return { text: head + rest, caret: head.length };
}

/** Mentions that match more than one participant (T14): nothing is sent until each is resolved. */
export function ambiguousMentions(participants: readonly MentionParticipant[], text: string): Mentions['ambiguous'] {
  if (!text.includes('@')) return [];
  return mentionsIn({ participants: Object.fromEntries(participants.map((each) => [each.id, each])) }, text).ambiguous;
}

/** The text with every mention of an ambiguous name resolved. */
export function resolveMention(text: string, name: string, id: string): string {
  const escapedName = name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return text.replace(new RegExp(`(?<![\\p{L}\\p{N}_.@+/-])@${escapedName}(?![\\p{L}\\p{N}_])`, 'giu'), `@${id}`);
}

const NO_MATCH = 5;

function rankOf({ id, invited, profile }: MentionParticipant, query: string): number {
  const startsWithQuery = (label: string | undefined) => label?.toLowerCase().startsWith(query) ?? false;
  if (startsWithQuery(id)) return invited ? 0 : 2;
  if (startsWithQuery(profile.nickname)) return 1;
  if ([...(profile.roles ?? []), profile.model, profile.client].some(startsWithQuery)) return 3;
  return query !== '' && id.includes(query) ? 4 : NO_MATCH;
}

function describeParticipant({ invited, muted, profile }: MentionParticipant): string {
  const facts = [profile.nickname, profile.kind === 'human' ? 'a human' : profile.model, ...(profile.roles ?? [])];
  return [...facts, muted && 'muted', !invited && profile.kind !== 'human' && 'not invited'].filter(Boolean).join(', ');
}

/** Inside an open fence or open backticks, an `@` is an ordinary character. */
function isInCode(before: string): boolean {
  if (before.split('```').length % 2 === 0) return true;
  const line = before.slice(before.lastIndexOf('\n') + 1).replaceAll('```', '');
  return line.split('`').length % 2 === 0;
}
