import { attachmentsOf } from '../../core/attachments/attachment.ts';
import type { Event } from '../../core/events/event.ts';
import { readEvent } from '../../core/events/read.ts';
import type { TextKind } from '../../core/search/kinds.ts';
import { placeOfText, textsOf } from '../../core/search/texts.ts';
import { isConversationType } from '../../core/threads/event-types.ts';
import type { ThreadEvent } from '../../core/threads/events.ts';
import { resultTextOf } from '../../core/threads/posts/tasks.ts';
import type { State } from '../../core/workspace.ts';
import type { EventLog } from '../../log/event-log.ts';
import type { Capabilities, ChatImage } from '../../models/model.ts';
import { createFiles } from '../attachments/files.ts';
import { joinText, prepareFiles } from '../attachments/show.ts';
import type { CurrentEvent } from '../versions.ts';

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
  /** Seq of the version that the text is from, if its author edited it (T35). */
  readonly editedAt?: number;
  readonly isEdited?: true;
  /** The text's place in its dialogue, loom or exchange. */
  readonly at?: string;
  /** Files, if the model that reads this takes images. */
  readonly images?: readonly ChatImage[];
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

export function utterancesOf(event: CurrentEvent, state: State): readonly Utterance[] {
  const { seq, id, from, meta, edited } = event;
  if (isUtterance(event))
    return [{ seq, id, from, meta, text: textOf(event), ...(edited && { isEdited: true, editedAt: edited.seq }) }];
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

/** Adds to each text what a model is shown of its files (M16). */
export async function withFiles<Said extends Pick<Utterance, 'text' | 'meta'>>(
  log: EventLog,
  utterances: readonly Said[],
  capabilities: Pick<Capabilities, 'context' | 'images'>,
): Promise<readonly Said[]> {
  const lists = utterances.map(({ meta }) => attachmentsOf(meta));
  if (lists.every((list) => list.length === 0)) return utterances;
  const shown = (await prepareFiles(createFiles(log), lists))(capabilities);
  return utterances.map((utterance, i) => {
    const images = shown[i]?.images ?? [];
    return { ...utterance, text: joinText(utterance.text, shown[i]), ...(images.length > 0 && { images }) };
  });
}
