import { pluralize } from '../../text/pluralize.ts';
import { type Dialogue, isAnswerEmpty, latestReply, type Turn } from '../state.ts';
import type { DialogueAttention } from './schema.ts';

/** `isServed`: whether a process is there to do the pending jobs. A killed process leaves its run behind. */
export function attentionOf(state: Dialogue, isServed = true): DialogueAttention {
  const { open, run } = state;
  if (!open) return { level: 'idle', reason: 'No message is waiting for an answer.' };
  if (run?.state === 'paused')
    return { level: 'needs_you', reason: `The run is paused: ${run.why ?? 'you paused it.'}` };
  const { counts } = open;
  if (counts.hard)
    return { level: 'needs_you', reason: `${describeReply(open)}; ${describeSilence(state)}. Look at it now.` };
  if (counts.soft > counts.reply && counts.reply > 0) {
    return {
      level: 'publishable',
      reason: `${describeReply(open)}; it could be sent as it is${describeRun(state, isServed)}.`,
      ...nextSteps(state, open, isServed),
    };
  }
  const emptyNote = isAnswerEmpty(state) ? `; ${describeSilence(state)}` : '';
  const progressText = describeProgress(open, isWorking(state) && isServed);
  const reason = `${progressText}${emptyNote}${describeRun(state, isServed)}.`;
  return { level: 'thinking', reason, ...nextSteps(state, open, isServed) };
}

function describeSilence(state: Dialogue): string {
  return isAnswerEmpty(state) ? 'the model answered with nothing, counted as silence' : 'the mind has nothing to add';
}

/** "#4 unchanged for 5 iterations, endorsed 3 times" */
function describeReply(open: Turn): string {
  const { unchanged, endorsed } = open.counts;
  const unchangedText = `#${latestReply(open)?.index} unchanged for ${pluralize(unchanged, 'iteration')}`;
  return endorsed > 0 ? `${unchangedText}, endorsed ${endorsed === 1 ? 'once' : `${endorsed} times`}` : unchangedText;
}

function describeProgress(open: Turn, isRunning: boolean): string {
  const { iterations, unchanged, failures } = open.counts;
  const reply = latestReply(open);
  const failureNote =
    failures > 0 ? `; the last ${failures === 1 ? 'iteration' : `${failures} iterations`} failed` : '';
  if (!reply) return `No reply yet after ${pluralize(iterations, 'iteration')}${failureNote}`;
  if (!isRunning) return `Draft #${reply.index} is ready${failureNote}`;
  const writtenText = unchanged === 0 ? 'was just written' : `was written ${pluralize(unchanged, 'iteration')} ago`;
  return `#${reply.index} ${writtenText}${failureNote}`;
}

function isWorking({ run, open, held }: Dialogue): boolean {
  return !held && run?.state === 'running' && run.turn === open?.turn;
}

function describeRun(state: Dialogue, isServed: boolean): string {
  const { run, held } = state;
  if (held) return ', and the thread is paused';
  if (isUntouched(state)) return '; the mind has not started';
  if (!isWorking(state)) return '; the mind has stopped';
  if (!isServed) return `; run ${run?.run} was interrupted`;
  return run?.waiting ? ', waiting for the model' : ', still thinking';
}

function nextSteps(state: Dialogue, open: Turn, isServed: boolean): Pick<DialogueAttention, 'next'> {
  if (state.held || (isWorking(state) && isServed)) return {};
  if (isUntouched(state)) return { next: ['start'] };
  return { next: latestReply(open) ? ['continue', 'accept'] : ['continue'] };
}

function isUntouched({ run, open }: Dialogue): boolean {
  return open?.counts.iterations === 0 && run?.turn !== open.turn;
}
