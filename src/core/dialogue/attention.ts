import { type Dialogue, latestReply, type Turn } from './state.ts';

/** What the mind wants of the person, and why, in words (D14). */
export interface Attention {
  readonly level: 'idle' | 'thinking' | 'publishable' | 'needs_you';
  readonly reason: string;
}

export function attentionOf(state: Dialogue): Attention {
  const { open, run } = state;
  if (!open) return { level: 'idle', reason: 'No message is waiting for an answer.' };
  if (run?.state === 'paused')
    return { level: 'needs_you', reason: `The run is paused: ${run.why ?? 'it was asked to.'}` };
  const { counts } = open;
  if (counts.hard)
    return { level: 'needs_you', reason: `${stood(open)}; the mind has nothing to add. Look at it now.` };
  if (counts.soft > counts.reply && counts.reply > 0) {
    return { level: 'publishable', reason: `${stood(open)}; it could be sent as it is${working(state)}.` };
  }
  return { level: 'thinking', reason: `${progress(open)}${working(state)}.` };
}

/** "#4 unchanged for 5 iterations, endorsed 3 times" */
function stood(open: Turn): string {
  const { unchanged, endorsed } = open.counts;
  const since = `#${latestReply(open)?.index} unchanged for ${times(unchanged, 'iteration')}`;
  return endorsed > 0 ? `${since}, endorsed ${endorsed === 1 ? 'once' : `${endorsed} times`}` : since;
}

function progress(open: Turn): string {
  const { iterations, unchanged, failures } = open.counts;
  const reply = latestReply(open);
  const failed = failures > 0 ? `; the last ${failures === 1 ? 'iteration' : `${failures} iterations`} failed` : '';
  if (!reply) return `No reply yet after ${times(iterations, 'iteration')}${failed}`;
  const when = unchanged === 0 ? 'was just written' : `was written ${times(unchanged, 'iteration')} ago`;
  return `#${reply.index} ${when}${failed}`;
}

function working({ run, open, held }: Dialogue): string {
  if (held) return ', and the thread is paused';
  return run?.state === 'running' && run.turn === open?.turn
    ? ', still thinking'
    : ', and nobody is thinking about it now';
}

function times(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}
