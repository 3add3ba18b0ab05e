import { authorLabelOf, type Event } from '../../core/events/event.ts';
import { linkTo, linkToConversation } from '../../core/link.ts';
import { type Span, singleAuthorSpans, spansAfterEdit } from '../../core/loom/authorship/spans.ts';
import { formatCount } from '../../core/text/pluralize.ts';
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

/** The text to explain, and optionally one character of it. */
export interface ExplainContext {
  readonly engine: Pick<Engine, 'log' | 'state' | 'secrets'>;
  readonly thread: string;
  readonly state: State;
  readonly offset: number | undefined;
  readonly whole: boolean;
  /** What the mode of the thread calls its events. */
  readonly names: EventNames | undefined;
}

export interface EventNames {
  /** A name for each type of event that can be explained, such as "A steering note". */
  readonly eventNames: Readonly<Record<string, string>>;
}

/** The account of one kind of text; the proof is built from it the same way for all kinds. */
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
  /** The events up to and including the one that wrote the text. */
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

/** Links to an event by its id: as a message of the conversation, or at its place in the dialogue, loom or exchange. */
export function linkToEvent(context: Pick<ExplainContext, 'state'>, { id, type }: Pick<Event, 'id' | 'type'>): string {
  return isConversationType(type) ? linkToConversation(context.state.thread.id, id) : linkIn(context, id);
}

export function authorOf(event: Event): AccountAuthor {
  return { id: authorLabelOf(event), kind: event.imported ? 'imported' : (event.meta.by ?? 'unknown') };
}

/**
 * Attributes an edited text character by character (W15): unchanged parts to the first author, the rest to the second.
 */
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

export function describeShare(parts: readonly AccountPart[], author: AccountAuthor): string {
  const total = parts.at(-1)?.to ?? 0;
  const ownChars = parts.reduce((sum, { from, to, author: { id } }) => sum + (id === author.id ? to - from : 0), 0);
  return `${formatCount(ownChars, 'character')} of ${total.toLocaleString('en')}`;
}

/** "a, b and c". */
export function formatList(words: readonly string[]): string {
  return words.length < 2 ? (words[0] ?? '') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
}

export async function loadEvent({ engine }: ExplainContext, id: string): Promise<Event> {
  return eventOf((await engine.log.byId(id)) as StoredEvent);
}

const MAX_WORDS_CHARS = 60;

/** The beginning of a text, on one line. */
export function firstWords(text: string): string {
  const line = text
    .slice(0, 4 * MAX_WORDS_CHARS)
    .trim()
    .replace(/\s+/g, ' ');
  return line.length <= MAX_WORDS_CHARS && text.length <= 4 * MAX_WORDS_CHARS
    ? line
    : `${[...line].slice(0, MAX_WORDS_CHARS).join('')} …`;
}
