import { isRefusal, type Refusal } from '../../core/refusal.ts';
import type { Wake, WakeUsage } from '../../core/threads/state.ts';
import { addUsage, type TokenUsage, usageOf } from '../ask/outcome.ts';
import type { CallReply } from '../calls/calls.ts';
import type { AnswerUsage } from './coordinator.ts';

/** Usage of all calls for one answer, in the form that `wake.closed` records (T18). `reply` is the last call's. */
export function usageFor(model: string, before: TokenUsage, reply: CallReply | Refusal): AnswerUsage {
  const isFailed = isRefusal(reply);
  const { prompt, generated, cost, estimated } = isFailed ? before : addUsage(before, usageOf(reply));
  const raw = isFailed ? (reply.refusal.raw as string | undefined) : reply.raw;
  return {
    model,
    // A small model is labelled wherever it speaks (M3).
    ...(!isFailed && reply.label && { small: true }),
    ...{ prompt_tokens: prompt, generated_tokens: generated, cost: cost ?? 0 },
    ...(estimated && { estimated }),
    ...(raw !== undefined && { raw }),
    ...(!isFailed && reply.cut && { cut: true }),
  };
}

/**
 * Usage of an answer whose last call failed, or nothing if no tokens were used. `before` is the usage reported for an
 * earlier call.
 */
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

/** Usage to record with a wait. The wait itself names the raw response. */
export function usageDuringWait(refusal: Refusal, wastedUsage: TokenUsage): { readonly usage?: WakeUsage } {
  const { prompt, generated, cost = 0, estimated } = wastedUsage;
  if (prompt + generated === 0) return {};
  const model = String(refusal.refusal.model);
  return {
    usage: { model, prompt_tokens: prompt, generated_tokens: generated, cost, ...(estimated && { estimated }) },
  };
}

/** Usage of the calls before a wait, a pause or a restart. */
export function usageBeforeWait(usage: Wake['usage']): TokenUsage | undefined {
  if (!usage) return undefined;
  const { prompt_tokens, generated_tokens, cost, estimated } = usage;
  return {
    ...{ prompt: prompt_tokens, generated: generated_tokens },
    ...(cost > 0 && { cost }),
    ...(estimated && { estimated }),
  };
}
