import { formatMoney } from '../../../../src/core/text/money.ts';
import type { WireEvent } from '../../../../src/protocol/wire.ts';
import { numeral } from '../../../ui/numeral.ts';

/** What `wake.closed` says (T18). */
export interface Closed {
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

export function closedOf({ type, content }: WireEvent): Closed | undefined {
  return type === 'wake.closed' ? (content as unknown as Closed) : undefined;
}

/** How the asking of one participant about one event ended; undefined while it has not, or where that is out of sight. */
export function closureFor(events: readonly WireEvent[], about: WireEvent, participant: string): Closed | undefined {
  for (const event of events) {
    const closed = event.seq > about.seq ? closedOf(event) : undefined;
    if (closed?.participant === participant && closed.up_to >= about.seq) return closed;
  }
  return undefined;
}

export function outcomeWords(closed: Closed | undefined): string {
  if (!closed) return '';
  const { outcome, reason } = closed;
  if (outcome === 'answered') return reason ? `; it answered: ${reason}` : '; it answered';
  if (outcome === 'declined') return '; it had nothing to say';
  return outcome === 'failed' ? `; it could not answer: ${reason ?? 'nobody knows why'}` : `; ${reason ?? 'stopped'}`;
}

/** What an answer has used, in words. */
export function usageWords(event: WireEvent): string | undefined {
  const { small, prompt_tokens, generated_tokens, estimated, cost } = closedOf(event)?.usage ?? {};
  if (prompt_tokens === undefined || generated_tokens === undefined) return undefined;
  const read = `${small ? 'by a small model, ' : ''}${estimated ? 'about ' : ''}${numeral(prompt_tokens)} tokens read, ${numeral(generated_tokens)} written`;
  return cost ? `${read}, ${formatMoney(cost)}` : read;
}

/** Why a draft lies beside the thread: the participant drafts first, or was held when it had finished (T19). */
export function notPosted(held: string | undefined): string {
  return held === undefined
    ? 'Not posted: it drafts, and you decide.'
    : `Not posted: ${held.replace(/[^.!?]$/, '$&.')}`;
}
