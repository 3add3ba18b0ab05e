import { authorLabelOf, type Event } from '../../core/events/event.ts';
import { linkTo, linkToConversation } from '../../core/link.ts';
import { type Span, singleAuthorSpans, spansAfterEdit } from '../../core/loom/authorship/spans.ts';
import { isConversationType } from '../../core/threads/event-types.ts';
import type { State } from '../../core/workspace.ts';
import { eventOf, type StoredEvent } from '../../log/event-log.ts';
import type {
  AccountAuthor,
  AccountCall,
  AccountInput,
  AccountPart,
  AccountStep,
  AccountTerms,
} from '../../protocol/explain.ts';
import type { Engine } from '../engine.ts';
import type { ThreadPast } from './past.ts';

/** What is asked: a text of a thread, and maybe which of its characters. */
export interface ExplainContext {
  readonly engine: Pick<Engine, 'log' | 'state' | 'secrets'>;
  readonly thread: string;
  readonly state: State;
  readonly offset: number | undefined;
  readonly whole: boolean;
}

/** What one kind of place tells; the proof is made of it for all alike. */
export interface Account {
  readonly link: string;
  readonly what: string;
  readonly text: string;
  readonly author: AccountAuthor;
  readonly at?: { readonly from: number; readonly to: number };
  readonly parts?: readonly AccountPart[];
  readonly steps: readonly AccountStep[];
  readonly call?: AccountCall;
  readonly shown?: AccountInput;
  readonly terms?: AccountTerms;
  /** Up to the event that put the text there, which is the last of it. */
  readonly past: ThreadPast;
  readonly rests?: readonly ProofEvent[];
  readonly checks?: readonly ProofCheck[];
}

export interface ProofEvent {
  readonly what: string;
  readonly event: Event;
}

export interface ProofCheck {
  readonly what: string;
  readonly holds: boolean;
}

export function linkIn({ state }: Pick<ExplainContext, 'state'>, at?: string): string {
  return linkTo(state.thread, at);
}

/** An event by its id: something said, in whatever kind of thread, or one that its kind shows. */
export function linkToEvent(context: Pick<ExplainContext, 'state'>, { id, type }: Pick<Event, 'id' | 'type'>): string {
  return isConversationType(type) ? linkToConversation(context.state.thread.id, id) : linkIn(context, id);
}

export function authorOf(event: Event): AccountAuthor {
  return { id: authorLabelOf(event), kind: event.imported ? 'imported' : (event.meta.by ?? 'unknown') };
}

/** Whose a changed text is, character by character (W15): what stayed is the first one's, the rest the second's. */
export function partsAfterEdit(
  before: string,
  after: string,
  first: AccountAuthor,
  second: AccountAuthor,
): readonly AccountPart[] {
  const spans = spansAfterEdit([{ text: before, spans: singleAuthorSpans('first', before) }], after, 'second');
  return spans.map(({ from, to, author }: Span) => ({ from, to, author: author === 'first' ? first : second }));
}

export function partAt(parts: readonly AccountPart[], offset: number | undefined): AccountPart | undefined {
  return offset === undefined ? undefined : parts.find(({ from, to }) => from <= offset && offset < to);
}

/** How many characters an author wrote of it, in words. */
export function describeShare(parts: readonly AccountPart[], author: AccountAuthor): string {
  const total = parts.at(-1)?.to ?? 0;
  const ownChars = parts.reduce((sum, { from, to, author: { id } }) => sum + (id === author.id ? to - from : 0), 0);
  return `${formatCount(ownChars, 'character')} of ${total.toLocaleString('en')}`;
}

export function formatCount(count: number, singular: string, plural = `${singular}s`): string {
  return `${count.toLocaleString('en')} ${count === 1 ? singular : plural}`;
}

/** "a, b and c". */
export function formatList(words: readonly string[]): string {
  return words.length < 2 ? (words[0] ?? '') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
}

export async function readEvent({ engine }: ExplainContext, id: string): Promise<Event> {
  return eventOf((await engine.log.byId(id)) as StoredEvent);
}

const MAX_WORDS_CHARS = 60;

/** How a text begins, on one line. */
export function firstWords(text: string): string {
  const line = text
    .slice(0, 4 * MAX_WORDS_CHARS)
    .trim()
    .replace(/\s+/g, ' ');
  return line.length <= MAX_WORDS_CHARS && text.length <= 4 * MAX_WORDS_CHARS
    ? line
    : `${[...line].slice(0, MAX_WORDS_CHARS).join('')} …`;
}
