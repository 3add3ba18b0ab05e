import type { Refusal } from '../../core/refusal.ts';
import type { ThreadState } from '../../core/threads/state.ts';
import type { MalformedOutput } from '../../formats/mind/output.ts';
import type { SpendingLimit } from '../../models/registry/schema.ts';
import type { CallCost, CallOptions } from '../calls/calls.ts';
import { isPermanent } from './faults.ts';

/* What asking a mind or an auditor comes to, whichever way of working asks. */

export const TRUNCATED: MalformedOutput = {
  malformed: 'It was cut off because it was too long.',
  mend: 'Write a shorter one.',
};
export const WITHHELD: MalformedOutput = {
  malformed: 'Its provider withheld the answer.',
  mend: 'Answer in a way that your provider lets through.',
};
export const CANCELLED = 'It was called off before it had finished.';

/** What was wrong with the first answer, and the answer. */
export interface Mistake {
  readonly text: string;
  readonly why: string;
}

/** An answer that is no use: what people are told of it, and what the model is told (D11). */
export function malformedOutcome(text: string, { malformed, mend }: MalformedOutput) {
  const what = malformed.replace(/^(?:It|There|Line|All|Behind|The|A)\b/, (word) => word.toLowerCase());
  return {
    result: { malformed: `What the model wrote could not be used: ${what}` },
    mistake: { text, why: mend === undefined ? malformed : `${malformed} ${mend}` } satisfies Mistake,
  };
}

/** What one try took. */
export interface AttemptCost {
  readonly usage: { prompt: number; generated: number; cost?: number | undefined; estimated?: true | undefined };
  readonly latency_ms: number;
  readonly blobs?: string[] | undefined;
}

/** Why nothing came of asking, and what that means for the run. */
export interface AskFailure {
  error: string;
  lasting?: true;
  budget?: true;
}

export function failureOf(refusal: Refusal): AskFailure {
  const { code, message } = refusal.refusal;
  return {
    error: message,
    ...(isPermanent(refusal) && { lasting: true }),
    ...(code === 'budget_reached' && { budget: true }),
  };
}

/** An answer that can be used: not a fault, and nothing that would be asked for once more. */
export function isUsable({ result }: { readonly result: object }): boolean {
  return !('error' in result || 'malformed' in result);
}

export interface TokenUsage {
  prompt: number;
  generated: number;
  cost?: number;
  estimated?: true;
}

export function usageOf({ usage, cost }: CallCost): TokenUsage {
  return {
    prompt: usage.promptTokens,
    generated: usage.generatedTokens,
    ...(cost > 0 && { cost }),
    ...(usage.estimated && { estimated: true as const }),
  };
}

/** What two tries used together, and what came of the second. */
export function mergeAttempts<Attempt extends AttemptCost & { readonly usage: TokenUsage }>(
  first: Attempt,
  second: Attempt,
): Attempt & { repaired: true } {
  return {
    ...second,
    usage: addUsage(first.usage, second.usage),
    latency_ms: first.latency_ms + second.latency_ms,
    blobs: [...(first.blobs ?? []), ...(second.blobs ?? [])],
    repaired: true,
  };
}

export function addUsage(a: AttemptCost['usage'], b: AttemptCost['usage']): TokenUsage {
  const cost = (a.cost ?? 0) + (b.cost ?? 0);
  return {
    prompt: a.prompt + b.prompt,
    generated: a.generated + b.generated,
    ...(cost > 0 && { cost }),
    ...((a.estimated || b.estimated) && { estimated: true as const }),
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

function limitOf({ tokens, money }: { tokens?: number | undefined; money?: number | undefined }): SpendingLimit {
  return { ...(tokens !== undefined && { tokens }), ...(money !== undefined && { money }) };
}
