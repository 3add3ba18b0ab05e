import { authorLabelOf, type Event } from '../../events/event.ts';
import * as events from '../events.ts';
import type { IterationContent } from '../state.ts';
import type { DialogueDraft } from '../turns/drafts.ts';

const schemas: Readonly<Record<string, { safeParse(content: unknown): { readonly success: boolean } } | undefined>> = {
  'iteration.ended': events.iterationEnded,
  'drafts.seen': events.draftsSeen,
  'turn.accepted': events.turnAccepted,
  'turn.withdrawn': events.turnWithdrawn,
};

type ArchivedContent<Name extends 'turnAccepted' | 'draftsSeen'> = (typeof events)[Name]['_output'];

/** A line of the archive: what happened to drafts, each thing when it happened (D8, D34). */
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
      /** As the person changed it. */
      readonly text?: string;
      readonly by: string;
      readonly ts: string;
    }
  | { readonly kind: 'withdrawn'; readonly turn: number; readonly by: string; readonly ts: string };

/**
 * What an event of a dialogue adds to its archive. A line never changes: the archive only grows, as the log does. An
 * event that does not fit its type adds nothing (L25).
 */
export function archiveLine(event: Event): ArchiveLine | undefined {
  const { type, ts } = event;
  if (!schemas[type]?.safeParse(event.content).success) return undefined;
  const by = authorLabelOf(event);
  switch (type) {
    case 'iteration.ended': {
      const { turn, iter, draft } = event.content as unknown as IterationContent;
      if (!draft) return undefined;
      const { index, text, ...marks } = draft;
      return { kind: 'draft', turn, index, iter, ts, text, ...marks };
    }
    case 'drafts.seen': {
      const { turn, drafts } = event.content as ArchivedContent<'draftsSeen'>;
      return { kind: 'seen', turn, drafts, by, ts };
    }
    case 'turn.accepted': {
      const { turn, draft, edited } = event.content as ArchivedContent<'turnAccepted'>;
      return { kind: 'accepted', turn, draft, ...(edited && { text: edited.text }), by, ts };
    }
    case 'turn.withdrawn':
      return { kind: 'withdrawn', turn: (event.content as { turn: number }).turn, by, ts };
    default:
      return undefined;
  }
}
