import type { Event } from '../../core/events/event.ts';
import { dataLine } from '../../core/text/sanitize.ts';
import type { Control } from '../../core/threads/schema.ts';
import { own } from '../../core/util/get-own.ts';
import { quote } from '../../models/prompt/quote.ts';
import type { Asked } from './coordinator.ts';
import type { Piece } from './utterances.ts';

/** What stands last in a prompt: what the woken agent is asked for, in words (T24). */
export interface Reason {
  readonly text: string;
  /** The piece that it repeats, which need not stand above as well. */
  readonly of?: Piece;
}

/** The newest event that the answer is for: one that was woken several times meanwhile answers all of them at once. */
export function wakingEvent({ event, seq, upTo = seq, participant, state }: Asked): string {
  const wakes = own(state.thread.routing.wakes, participant) ?? [];
  return wakes.findLast((wake) => wake.seq > seq && wake.seq <= upTo)?.event ?? event;
}

export function reasonFor(asked: Asked, waking: Event | undefined, pieces: readonly Piece[]): Reason {
  const piece = pieces.find(({ id }) => id === waking?.id);
  if (piece && waking) {
    const words = quote(piece.text, { from: piece.from });
    return { of: piece, text: waking.type === 'task' ? `${words}\n\n${taskFrom(piece.from)}` : words };
  }
  const control = waking?.type === 'control' ? (waking.content as unknown as Control) : undefined;
  const by = waking ? dataLine(waking.from, 64) : 'Somebody';
  if (control && 'invite' in control) return invitedBy(by, asked, pieces);
  return { text: `${by} asks you to reply now. ${whatStands(pieces)}` };
}

function taskFrom(author: string): string {
  return `This is a task that ${dataLine(author, 64)} gave you. Do it, and answer with the result: it is recorded as the result of the task. If you cannot do it, begin your answer with FAILED: and say why.`;
}

/** Into a side channel one is invited to settle its question. */
function invitedBy(by: string, { state: { thread } }: Asked, pieces: readonly Piece[]): Reason {
  const { sideOf } = thread;
  if (!sideOf) return { text: `${by} has just invited you to this thread. ${whatStands(pieces)}` };
  const question = pieces.find(({ from, text }) => from === sideOf.opener && text === sideOf.question);
  const words = quote(sideOf.question, { from: sideOf.opener });
  const why = `This thread is a side channel that ${dataLine(sideOf.opener, 64)} opened to settle this question. Answer it.`;
  return { ...(question && { of: question }), text: `${words}\n\n${why}` };
}

function whatStands(pieces: readonly Piece[]): string {
  return pieces.length === 0
    ? 'Nobody has written here yet: say in a sentence or two how you can help.'
    : 'Reply to what was said above, as far as it concerns you.';
}
