import type { Event } from '../../core/events/event.ts';
import { readEvent } from '../../core/events/read.ts';
import type { TextKind } from '../../core/search/kinds.ts';
import { placeOfText, textsOf } from '../../core/search/texts.ts';
import { isConversationType } from '../../core/threads/event-types.ts';
import type { ThreadEvent } from '../../core/threads/events.ts';
import { resultTextOf } from '../../core/threads/posts/tasks.ts';
import type { State } from '../../core/workspace.ts';

const UTTERANCE_TYPES = new Set(['message', 'task', 'result', 'side.returned']);

/** True if the event is something a participant said, rather than a change to the thread. */
export function isUtterance({ type }: Event): boolean {
  return UTTERANCE_TYPES.has(type);
}

export function textOf(stored: Event): string {
  const event = readEvent<ThreadEvent>(stored);
  if (typeof event.content === 'string') return event.content;
  switch (event.type) {
    case 'task':
      return event.content.text;
    case 'result':
      return resultTextOf(event.content) || JSON.stringify(event.content);
    case 'side.returned':
      return `(from a side channel) ${event.content.summary}`;
    default:
      return JSON.stringify(event.content);
  }
}

/** The text of one event, by seq: a message, or the equivalent in a dialogue, loom or exchange. */
export interface Utterance {
  readonly seq: number;
  readonly id: string;
  readonly from: string;
  readonly text: string;
  readonly meta: Event['meta'];
  /** The text's place in its dialogue, loom or exchange. */
  readonly at?: string;
}

const WRITTEN_KINDS: ReadonlySet<TextKind> = new Set([
  'message',
  'note',
  'draft',
  'thought',
  'node',
  'observer',
  'audit',
]);

export function utterancesOf(event: Event, state: State): readonly Utterance[] {
  const { seq, id, from, meta } = event;
  if (isUtterance(event)) return [{ seq, id, from, meta, text: textOf(event) }];
  if (isConversationType(event.type)) return [];
  const texts = textsOf(event)
    .map((text, part) => ({ ...text, part }))
    .filter(({ kind }) => WRITTEN_KINDS.has(kind));
  // An iteration lists its thoughts before its draft; the draft is the one we want.
  const last = texts.at(-1);
  if (!last) return [];
  const text = texts.length === 1 ? last.text : texts.map((each) => `(${each.kind}) ${each.text}`).join('\n');
  const at = placeOfText(last, last.part, event, state);
  return [{ seq, id, meta, from: last.from ?? from, text, ...(at && { at }) }];
}
