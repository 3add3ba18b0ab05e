import type { Refusal } from '../../core/refusal.ts';
import type { ThreadState } from '../../core/threads/state.ts';
import type { MalformedOutput } from '../../formats/mind/output.ts';
import type { SpendingLimit } from '../../models/registry/schema.ts';
import type { CallCost, CallOptions } from '../calls/calls.ts';
import { isPermanent } from './faults.ts';

/* Outcomes of asking a model, shared by everything that asks one. */

export const TRUNCATED: MalformedOutput = {
  malformed: 'It was cut off because it was too long.',
  mend: 'Write a shorter one.',
};
export const WITHHELD: MalformedOutput = {
  malformed: 'Its provider withheld the answer.',
  mend: 'Answer in a way that your provider lets through.',
};
export const CANCELLED = 'It was cancelled before it was finished.';

/** An unusable first answer and what was wrong with it. */
export interface Mistake {
  readonly text: string;
  readonly why: string;
}

/** What was wrong with an answer, in a sentence for the model (D11). */
export function mistakeIn(text: string, { malformed, mend }: MalformedOutput): Mistake {
  return { text, why: mend === undefined ? malformed : `${malformed} ${mend}` };
}

/** The same in a sentence for people. */
export function malformedResult({ malformed }: MalformedOutput): { malformed: string } {
  const what = malformed.replace(/^(?:It|There|Line|All|Behind|The|A)\b/, (word) => word.toLowerCase());
  return { malformed: `What the model wrote could not be used: ${what}` };
}

/** Why asking failed, and what that means for the run. */
export interface AskFailure {
  error: string;
  /** The beginning of an answer that broke off. */
  partial?: string;
  lasting?: true;
  budget?: true;
}

export function failureOf(refusal: Refusal): AskFailure {
  const { code, message, partial } = refusal.refusal;
  return {
    error: message,
    ...(typeof partial === 'string' && { partial }),
    ...(isPermanent(refusal) && { lasting: true }),
    ...(code === 'budget_reached' && { budget: true }),
  };
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

export function addUsage(a: TokenUsage, b: TokenUsage): TokenUsage {
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
