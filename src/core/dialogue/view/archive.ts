import type { EventOf } from '../../events/define.ts';
import { authorLabelOf, type Event } from '../../events/event.ts';
import { readEvent } from '../../events/read.ts';
import { DraftsSeen, IterationEnded, TurnAccepted, TurnWithdrawn } from '../events.ts';
import type { DialogueDraft } from '../turns/drafts.ts';

const archived = [IterationEnded, DraftsSeen, TurnAccepted, TurnWithdrawn];

/** A line of the archive: one change to the drafts, at the time it happened (D8, D34). */
export type ArchiveLine =
  | ({ readonly kind: 'draft'; readonly turn: number } & Omit<DialogueDraft, 'signal'> & {
        readonly signal?: DialogueDraft['signal'];
      })
  | {
      readonly kind: 'seen';
      readonly turn: number;
      readonly drafts: readonly number[];
      readonly by: string;
      readonly ts: string;
    }
  | {
      readonly kind: 'accepted';
      readonly turn: number;
      readonly draft: number;
      /** The person's edited text. */
      readonly text?: string;
      readonly by: string;
      readonly ts: string;
    }
  | { readonly kind: 'withdrawn'; readonly turn: number; readonly by: string; readonly ts: string };

/**
 * The archive line for an event of a dialogue. A line never changes: the archive only grows, as the log does. An event
 * that does not match its type adds nothing (L25).
 */
export function archiveLine(stored: Event): ArchiveLine | undefined {
  const definition = archived.find(({ type }) => type === stored.type);
  if (!definition?.schema.safeParse(stored.content).success) return undefined;
  const event = readEvent<EventOf<(typeof archived)[number]>>(stored);
  const { ts } = event;
  const by = authorLabelOf(event);
  switch (event.type) {
    case 'iteration.ended': {
      const { turn, iter, draft } = event.content;
      if (!draft) return undefined;
      const { index, text, ...marks } = draft;
      return { kind: 'draft', turn, index, iter, ts, text, ...marks };
    }
    case 'drafts.seen':
      return { kind: 'seen', ...event.content, by, ts };
    case 'turn.accepted': {
      const { turn, draft, edited } = event.content;
      return { kind: 'accepted', turn, draft, ...(edited && { text: edited.text }), by, ts };
    }
    case 'turn.withdrawn':
      return { kind: 'withdrawn', turn: event.content.turn, by, ts };
  }
}
