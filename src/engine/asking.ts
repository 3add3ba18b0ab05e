import type { Refusal } from '../core/refusal.ts';
import type { ThreadState } from '../core/threads/state.ts';
import type { Malformed } from '../formats/mind/output.ts';
import type { Limit } from '../models/registry-schema.ts';
import type { Called, CallOptions } from './calls.ts';

/* What asking a mind or an auditor comes to, whichever way of working asks. */

/** What trying again does not mend. */
const LASTING = new Set(['context_too_small', 'unknown_model', 'budget_reached', 'forbidden', 'too_large']);
export const CUT: Malformed = { malformed: 'It was cut off because it was too long.', mend: 'Write a shorter one.' };
export const CALLED_OFF = 'It was called off before it had finished.';

/** What was wrong with the first answer, and the answer. */
export interface Mistake {
  readonly text: string;
  readonly why: string;
}

/** An answer that is no use: what people are told of it, and what the model is told (D11). */
export function unreadable(text: string, { malformed, mend }: Malformed) {
  const what = malformed.replace(/^(?:It|There|Line|All|Behind|The|A)\b/, (word) => word.toLowerCase());
  return {
    result: { malformed: `What the model wrote could not be used: ${what}` },
    mistake: { text, why: mend === undefined ? malformed : `${malformed} ${mend}` } satisfies Mistake,
  };
}

/** What one try took. */
export interface Spent {
  readonly usage: { prompt: number; generated: number; cost?: number | undefined; estimated?: true | undefined };
  readonly latency_ms: number;
  readonly blobs?: string[] | undefined;
}

export function failure({ refusal }: Refusal): { error: string; lasting?: true } {
  return { error: refusal.message, ...(LASTING.has(refusal.code) && { lasting: true as const }) };
}

export function usageOf({ usage, cost }: Called): {
  prompt: number;
  generated: number;
  cost?: number;
  estimated?: true;
} {
  return {
    prompt: usage.promptTokens,
    generated: usage.generatedTokens,
    ...(cost > 0 && { cost }),
    ...(usage.estimated && { estimated: true as const }),
  };
}

/** What two tries used together, and what came of the second. */
export function both<Half extends Spent>(first: Half, second: Half): Half & { repaired: true } {
  const cost = (first.usage.cost ?? 0) + (second.usage.cost ?? 0);
  return {
    ...second,
    usage: {
      ...second.usage,
      prompt: first.usage.prompt + second.usage.prompt,
      generated: first.usage.generated + second.usage.generated,
      ...(cost > 0 && { cost }),
    },
    latency_ms: first.latency_ms + second.latency_ms,
    blobs: [...(first.blobs ?? []), ...(second.blobs ?? [])],
    repaired: true,
  };
}

/** What limits a model in a thread: its own budget, and that of the thread an agent made it from (T16). */
export function budgetsIn({ budget, madeFor }: ThreadState): NonNullable<CallOptions['budgets']> {
  const { payer } = madeFor ?? {};
  return {
    thread: limitOf(budget),
    ...(payer && { payer: { thread: payer.thread, limit: limitOf(payer.budget) } }),
  };
}

function limitOf({ tokens, money }: { tokens?: number | undefined; money?: number | undefined }): Limit {
  return { ...(tokens !== undefined && { tokens }), ...(money !== undefined && { money }) };
}
