import { authorShown, type Event } from '../../core/events/event.ts';
import { linkTo, linkToSaid } from '../../core/link.ts';
import { type Span, spansAfterEdit, writtenBy } from '../../core/loom/authorship/spans.ts';
import { isOfConversation } from '../../core/threads/event-types.ts';
import type { State } from '../../core/workspace.ts';
import { eventOf, type Stored } from '../../log/event-log.ts';
import type { Author, ExplainedCall, ExplainedShown, ExplainedTerms, Part, Step } from '../../protocol/explain.ts';
import type { Engine } from '../engine.ts';
import type { Past } from './past.ts';

/** What is asked: a text of a thread, and maybe which of its characters. */
export interface Asking {
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
  readonly author: Author;
  readonly at?: { readonly from: number; readonly to: number };
  readonly parts?: readonly Part[];
  readonly steps: readonly Step[];
  readonly call?: ExplainedCall;
  readonly shown?: ExplainedShown;
  readonly terms?: ExplainedTerms;
  /** Up to the event that put the text there, which is the last of it. */
  readonly past: Past;
  readonly rests?: readonly Rest[];
  readonly checks?: readonly Check[];
}

export interface Rest {
  readonly what: string;
  readonly event: Event;
}

export interface Check {
  readonly what: string;
  readonly holds: boolean;
}

export function linkIn({ state }: Pick<Asking, 'state'>, at?: string): string {
  return linkTo(state.thread, at);
}

/** An event by its id: something said, in whatever kind of thread, or one that its kind shows. */
export function linkToEvent(asking: Pick<Asking, 'state'>, { id, type }: Pick<Event, 'id' | 'type'>): string {
  return isOfConversation(type) ? linkToSaid(asking.state.thread.id, id) : linkIn(asking, id);
}

export function authorOf(event: Event): Author {
  return { id: authorShown(event), kind: event.imported ? 'imported' : (event.meta.by ?? 'unknown') };
}

/** Whose a changed text is, character by character (W15): what stayed is the first one's, the rest the second's. */
export function changedParts(before: string, after: string, first: Author, second: Author): readonly Part[] {
  const spans = spansAfterEdit([{ text: before, spans: writtenBy('first', before) }], after, 'second');
  return spans.map(({ from, to, author }: Span) => ({ from, to, author: author === 'first' ? first : second }));
}

export function partAt(parts: readonly Part[], offset: number | undefined): Part | undefined {
  return offset === undefined ? undefined : parts.find(({ from, to }) => from <= offset && offset < to);
}

/** How many characters an author wrote of it, in words. */
export function shareOf(parts: readonly Part[], author: Author): string {
  const all = parts.at(-1)?.to ?? 0;
  const own = parts.reduce((sum, { from, to, author: { id } }) => sum + (id === author.id ? to - from : 0), 0);
  return `${counted(own, 'character')} of ${all.toLocaleString('en')}`;
}

export function counted(many: number, one: string, several = `${one}s`): string {
  return `${many.toLocaleString('en')} ${many === 1 ? one : several}`;
}

/** "a, b and c". */
export function listed(words: readonly string[]): string {
  return words.length < 2 ? (words[0] ?? '') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
}

export async function eventAt({ engine }: Asking, id: string): Promise<Event> {
  return eventOf((await engine.log.byId(id)) as Stored);
}

const SHORT = 60;

/** How a text begins, on one line. */
export function firstWords(text: string): string {
  const line = text
    .slice(0, 4 * SHORT)
    .trim()
    .replace(/\s+/g, ' ');
  return line.length <= SHORT && text.length <= 4 * SHORT ? line : `${[...line].slice(0, SHORT).join('')} …`;
}
