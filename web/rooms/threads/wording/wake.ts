import type { ContentOf } from '../../../../src/core/events/define.ts';
import { formatMoney } from '../../../../src/core/text/money.ts';
import { threadContent } from '../../../../src/core/threads/content.ts';
import type { WakeClosed } from '../../../../src/core/threads/events.ts';
import type { WireEvent } from '../../../../src/protocol/wire.ts';
import { formatNumber } from '../../../ui/format-number.ts';

/** How the asking of a participant ended (T18). */
export type WakeClosure = ContentOf<typeof WakeClosed>;

export function wakeClosureOf(event: WireEvent): WakeClosure | undefined {
  return threadContent(event, 'wake.closed');
}

/** How the asking of one participant about one event ended; undefined while it has not, or where that is out of sight. */
export function findWakeClosure(
  events: readonly WireEvent[],
  about: WireEvent,
  participant: string,
): WakeClosure | undefined {
  for (const event of events) {
    const closure = event.seq > about.seq ? wakeClosureOf(event) : undefined;
    if (closure?.participant === participant && closure.up_to >= about.seq) return closure;
  }
  return undefined;
}

export function outcomeText(closure: WakeClosure | undefined): string {
  if (!closure) return '';
  const { outcome, reason } = closure;
  if (outcome === 'answered') return reason ? `; it answered: ${reason}` : '; it answered';
  if (outcome === 'declined') return '; it had nothing to say';
  return outcome === 'failed' ? `; it could not answer: ${reason ?? 'nobody knows why'}` : `; ${reason ?? 'stopped'}`;
}

/** What an answer has used, in words. */
export function usageText(event: WireEvent): string | undefined {
  const { small, prompt_tokens, generated_tokens, estimated, cost } = wakeClosureOf(event)?.usage ?? {};
  if (typeof prompt_tokens !== 'number' || typeof generated_tokens !== 'number') return undefined;
  const summary = `${small ? 'by a small model, ' : ''}${estimated ? 'about ' : ''}${formatNumber(prompt_tokens)} tokens read, ${formatNumber(generated_tokens)} written`;
  return typeof cost === 'number' && cost > 0 ? `${summary}, ${formatMoney(cost)}` : summary;
}

/** Why a draft lies beside the thread: the participant drafts first, or was held when it had finished (T19). */
export function notPostedText(held: string | undefined): string {
  return held === undefined
    ? 'Not posted: it drafts, and you decide.'
    : `Not posted: ${held.replace(/[^.!?]$/, '$&.')}`;
}
