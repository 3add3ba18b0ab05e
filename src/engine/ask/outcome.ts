import type { Refusal } from '../../core/refusal.ts';
import type { ThreadState } from '../../core/threads/state.ts';
import type { MalformedOutput } from '../../formats/mind/output.ts';
import type { SpendingLimit } from '../../models/registry/schema.ts';
import type { CallCost, CallOptions } from '../calls/calls.ts';
import { isPermanent } from './faults.ts';

/* Outcomes of asking a mind or an auditor, shared by dialogues and exchanges. */

export const TRUNCATED: MalformedOutput = {
  malformed: 'It was cut off because it was too long.',
  mend: 'Write a shorter one.',
};
export const WITHHELD: MalformedOutput = {
  malformed: 'Its provider withheld the answer.',
  mend: 'Answer in a way that your provider lets through.',
};
export const CANCELLED = 'It was called off before it had finished.';

/** An unusable first answer and what was wrong with it. */
export interface Mistake {
  readonly text: string;
  readonly why: string;
}

/** The outcome for an unusable answer: one message for people, one for the model (D11). */
export function malformedOutcome(text: string, { malformed, mend }: MalformedOutput) {
  const what = malformed.replace(/^(?:It|There|Line|All|Behind|The|A)\b/, (word) => word.toLowerCase());
  return {
    result: { malformed: `What the model wrote could not be used: ${what}` },
    mistake: { text, why: mend === undefined ? malformed : `${malformed} ${mend}` } satisfies Mistake,
  };
}

/** Tokens, time and raw responses of one attempt. */
export interface AttemptCost {
  readonly usage: { prompt: number; generated: number; cost?: number | undefined; estimated?: true | undefined };
  readonly latency_ms: number;
  readonly blobs?: string[] | undefined;
}

/** Why asking failed, and what that means for the run. */
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

/** True for a usable answer: neither an error nor a malformed answer that would be asked for again. */
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

/** The second attempt's result with the usage of both. */
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

/** The budgets that apply in a thread: its own, and that of the thread from which an agent created it (T16). */
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
