import type { Event } from '../../core/events/event.ts';
import { readEvent } from '../../core/events/read.ts';
import { sanitizeLine } from '../../core/text/sanitize.ts';
import { ControlPosted, type ThreadEvent } from '../../core/threads/events.ts';
import { askedAgainAbout } from '../../core/threads/policy/routing.ts';
import { getOwn } from '../../core/util/get-own.ts';
import { quote } from '../../models/prompt/quote.ts';
import type { Invocation } from './coordinator.ts';
import type { Utterance } from './utterances.ts';

/** The last part of a prompt: what the woken agent should do, in words (T24). */
export interface WakeReason {
  readonly text: string;
  /** The utterance that the reason repeats, so the prompt need not show it twice. */
  readonly source?: Utterance;
}

/** The newest event that the answer covers: an agent woken several times answers all of them at once. */
export function wakeEventId({ event, seq, upTo = seq, participant, state }: Invocation): string {
  const wakes = getOwn(state.thread.routing.wakes, participant) ?? [];
  return wakes.findLast((wake) => wake.seq > seq && wake.seq <= upTo)?.event ?? event;
}

/** The event that an agent is to answer: the one that woke it, or the one it is asked to answer again (T39). */
export function answeredId(wakeEvent: Event | undefined): string | undefined {
  return wakeEvent && (askedAgainAbout(readEvent<ThreadEvent>(wakeEvent)) ?? wakeEvent.id);
}

export function reasonFor(
  invocation: Invocation,
  wakeEvent: Event | undefined,
  utterances: readonly Utterance[],
): WakeReason {
  const utterance = utterances.find(({ id }) => id === wakeEvent?.id);
  if (utterance && wakeEvent) {
    const words = quote(utterance.text, utterance);
    return {
      source: utterance,
      text: wakeEvent.type === 'task' ? `${words}\n\n${taskInstruction(utterance.from)}` : words,
    };
  }
  const control = wakeEvent && ControlPosted.read(wakeEvent)?.content;
  const by = wakeEvent ? sanitizeLine(wakeEvent.from, 64) : 'Somebody';
  const question = utterances.find(({ id }) => id === answeredId(wakeEvent));
  if (question) return askedAgainReason(by, question, invocation, utterances);
  if (control && 'invite' in control) return invitationReason(by, invocation, utterances);
  return { text: `${by} asks you to reply now. ${replyInstruction(utterances)}` };
}

function taskInstruction(author: string): string {
  return `This is a task that ${sanitizeLine(author, 64)} gave you. Do it, and answer with the result: it is recorded as the result of the task. If you cannot do it, begin your answer with FAILED: and say why.`;
}

/** The earlier answer stays in view: everybody who reads the thread has it before them (T39). */
function askedAgainReason(
  by: string,
  question: Utterance,
  { participant }: Invocation,
  utterances: readonly Utterance[],
): WakeReason {
  const hasAnswered = utterances.some(({ from, meta }) => from === participant && meta.reply_to === question.id);
  const request = hasAnswered
    ? `${by} asks you to answer this once more. Your earlier answer is above. Write another one that can be read without it.`
    : `${by} asks you to answer this.`;
  return { source: question, text: `${quote(question.text, question)}\n\n${request}` };
}

/** An invitation to a side channel asks the agent to settle the channel's question. */
function invitationReason(by: string, { state: { thread } }: Invocation, utterances: readonly Utterance[]): WakeReason {
  const { sideOf } = thread;
  if (!sideOf) return { text: `${by} has just invited you to this thread. ${replyInstruction(utterances)}` };
  const question = utterances.find(({ from, text }) => from === sideOf.opener && text === sideOf.question);
  const words = quote(sideOf.question, { from: sideOf.opener });
  const why = `This thread is a side channel that ${sanitizeLine(sideOf.opener, 64)} opened to settle this question. Answer it.`;
  return { ...(question && { source: question }), text: `${words}\n\n${why}` };
}

function replyInstruction(utterances: readonly Utterance[]): string {
  return utterances.length === 0
    ? 'Nobody has written here yet: say in a sentence or two how you can help.'
    : 'Reply to what was said above, as far as it concerns you.';
}
