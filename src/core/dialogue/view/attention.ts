import { type Dialogue, isAnswerEmpty, latestReply, type Turn } from '../state.ts';

/** What the mind wants of the person, and why, in words (D14). */
export interface Attention {
  readonly level: 'idle' | 'thinking' | 'publishable' | 'needs_you';
  readonly reason: string;
}

/** `isServed`: whether anybody is there to do what the state asks for; a process that was killed leaves a run behind. */
export function attentionOf(state: Dialogue, isServed = true): Attention {
  const { open, run } = state;
  if (!open) return { level: 'idle', reason: 'No message is waiting for an answer.' };
  if (run?.state === 'paused')
    return { level: 'needs_you', reason: `The run is paused: ${run.why ?? 'you paused it.'}` };
  const { counts } = open;
  if (counts.hard) return { level: 'needs_you', reason: `${stood(open)}; ${silence(state)}. Look at it now.` };
  if (counts.soft > counts.reply && counts.reply > 0) {
    return { level: 'publishable', reason: `${stood(open)}; it could be sent as it is${working(state, isServed)}.` };
  }
  const empty = isAnswerEmpty(state) ? `; ${silence(state)}` : '';
  const far = progress(open, isWorking(state) && isServed);
  return { level: 'thinking', reason: `${far}${empty}${working(state, isServed)}.` };
}

function silence(state: Dialogue): string {
  return isAnswerEmpty(state) ? 'the model answered with nothing, counted as silence' : 'the mind has nothing to add';
}

/** "#4 unchanged for 5 iterations, endorsed 3 times" */
function stood(open: Turn): string {
  const { unchanged, endorsed } = open.counts;
  const since = `#${latestReply(open)?.index} unchanged for ${times(unchanged, 'iteration')}`;
  return endorsed > 0 ? `${since}, endorsed ${endorsed === 1 ? 'once' : `${endorsed} times`}` : since;
}

function progress(open: Turn, isGoing: boolean): string {
  const { iterations, unchanged, failures } = open.counts;
  const reply = latestReply(open);
  const failed = failures > 0 ? `; the last ${failures === 1 ? 'iteration' : `${failures} iterations`} failed` : '';
  if (!reply) return `No reply yet after ${times(iterations, 'iteration')}${failed}`;
  if (!isGoing) return `Draft #${reply.index} is ready${failed}`;
  const when = unchanged === 0 ? 'was just written' : `was written ${times(unchanged, 'iteration')} ago`;
  return `#${reply.index} ${when}${failed}`;
}

function isWorking({ run, open, held }: Dialogue): boolean {
  return !held && run?.state === 'running' && run.turn === open?.turn;
}

function working(state: Dialogue, isServed: boolean): string {
  const { run, open, held } = state;
  if (held) return ', and the thread is paused';
  const accept = open && latestReply(open) ? ', "mind accept" takes it' : '';
  if (open?.counts.iterations === 0 && run?.turn !== open.turn)
    return '; the mind has not started ("mind run" starts it)';
  if (!isWorking(state)) return `; the mind has stopped ("mind run" continues${accept})`;
  if (!isServed) return `; run ${run?.run} was interrupted ("mind run" continues it${accept})`;
  return run?.waiting ? ', waiting for the model' : ', still thinking';
}

function times(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}
