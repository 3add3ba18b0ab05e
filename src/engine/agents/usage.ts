import { isRefusal, type Refusal } from '../../core/refusal.ts';
import type { Wake, WakeUsage } from '../../core/threads/state.ts';
import { addUsage, type TokenUsage, usageOf } from '../ask/outcome.ts';
import type { CallReply } from '../calls/calls.ts';
import type { AnswerUsage } from './coordinator.ts';

/** What all calls for an answer used, as `wake.closed` says it (T18): `reply` is the last of them. */
export function usageFor(model: string, before: TokenUsage, reply: CallReply | Refusal): AnswerUsage {
  const isFailed = isRefusal(reply);
  const { prompt, generated, cost, estimated } = isFailed ? before : addUsage(before, usageOf(reply));
  const raw = isFailed ? (reply.refusal.raw as string | undefined) : reply.raw;
  return {
    model,
    // A small model says so wherever it speaks (M3).
    ...(!isFailed && reply.label && { small: true }),
    ...{ prompt_tokens: prompt, generated_tokens: generated, cost: cost ?? 0 },
    ...(estimated && { estimated }),
    ...(raw !== undefined && { raw }),
    ...(!isFailed && reply.cut && { cut: true }),
  };
}

/** The same of a call that failed: nothing is said where nothing was used. `before` is what an earlier call said. */
export function failedCallUsage(
  model: string,
  wastedUsage: TokenUsage,
  refusal: Refusal,
  before: AnswerUsage = {},
): { readonly usage?: AnswerUsage } {
  return wastedUsage.prompt + wastedUsage.generated === 0
    ? {}
    : { usage: { ...before, ...usageFor(model, wastedUsage, refusal) } };
}

/** The same while it is waited; the wait itself names the raw response. */
export function usageDuringWait(refusal: Refusal, wastedUsage: TokenUsage): { readonly usage?: WakeUsage } {
  const { prompt, generated, cost = 0, estimated } = wastedUsage;
  if (prompt + generated === 0) return {};
  const model = String(refusal.refusal.model);
  return {
    usage: { model, prompt_tokens: prompt, generated_tokens: generated, cost, ...(estimated && { estimated }) },
  };
}

/** What calls used before a wait, a pause or a restart. */
export function usageBeforeWait(usage: Wake['usage']): TokenUsage | undefined {
  if (!usage) return undefined;
  const { prompt_tokens, generated_tokens, cost, estimated } = usage;
  return {
    ...{ prompt: prompt_tokens, generated: generated_tokens },
    ...(cost > 0 && { cost }),
    ...(estimated && { estimated }),
  };
}
