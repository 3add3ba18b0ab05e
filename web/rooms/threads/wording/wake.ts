import { formatMoney } from '../../../../src/core/text/money.ts';
import type { WireEvent } from '../../../../src/protocol/wire.ts';
import { formatNumber } from '../../../ui/format-number.ts';

/** What `wake.closed` says (T18). */
export interface WakeClosure {
  readonly participant: string;
  readonly event: string;
  readonly up_to: number;
  readonly outcome: 'answered' | 'declined' | 'failed' | 'stopped';
  readonly reason?: string;
  readonly usage?: {
    readonly small?: boolean;
    readonly prompt_tokens?: number;
    readonly estimated?: boolean;
    readonly generated_tokens?: number;
    readonly cost?: number;
  };
}

export function wakeClosureOf({ type, content }: WireEvent): WakeClosure | undefined {
  return type === 'wake.closed' ? (content as unknown as WakeClosure) : undefined;
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
  if (prompt_tokens === undefined || generated_tokens === undefined) return undefined;
  const summary = `${small ? 'by a small model, ' : ''}${estimated ? 'about ' : ''}${formatNumber(prompt_tokens)} tokens read, ${formatNumber(generated_tokens)} written`;
  return cost ? `${summary}, ${formatMoney(cost)}` : summary;
}

/** Why a draft lies beside the thread: the participant drafts first, or was held when it had finished (T19). */
export function notPostedText(held: string | undefined): string {
  return held === undefined
    ? 'Not posted: it drafts, and you decide.'
    : `Not posted: ${held.replace(/[^.!?]$/, '$&.')}`;
}
