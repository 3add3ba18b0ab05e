import type { ContentOf } from '../../../../src/core/events/define.ts';
import { formatNumber } from '../../../../src/core/text/format-number.ts';
import { threadContent } from '../../../../src/core/threads/content.ts';
import type { WakeClosed } from '../../../../src/core/threads/events.ts';
import type { WireEvent } from '../../../../src/protocol/wire.ts';
import { showMoney } from '../../../data/money.ts';

/** How a participant's wake ended (T18). */
export type WakeClosure = ContentOf<typeof WakeClosed>;

export function wakeClosureOf(event: WireEvent): WakeClosure | undefined {
  return threadContent(event, 'wake.closed');
}

/** How a participant's wake for one event ended; undefined while it is open, or if its end is not loaded. */
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
  return outcome === 'failed' ? `; it could not answer: ${reason ?? 'unknown reason'}` : `; ${reason ?? 'stopped'}`;
}

/** The usage of an answer, in words. */
export function usageText(event: WireEvent): string | undefined {
  const { small, prompt_tokens, generated_tokens, estimated, cost } = wakeClosureOf(event)?.usage ?? {};
  if (typeof prompt_tokens !== 'number' || typeof generated_tokens !== 'number') return undefined;
  const summary = `${small ? 'by a small model, ' : ''}${estimated ? 'about ' : ''}${formatNumber(prompt_tokens)} tokens read, ${formatNumber(generated_tokens)} written`;
  return typeof cost === 'number' && cost > 0 ? `${summary}, ${showMoney(cost)}` : summary;
}

/** Why a draft is not posted: the participant drafts first, or was held when it finished (T19). */
export function notPostedText(held: string | undefined): string {
  return held === undefined
    ? 'Not posted: this agent drafts, and you decide.'
    : `Not posted: ${held.replace(/[^.!?]$/, '$&.')}`;
}
