import { isRefusal, type Refusal } from '../../core/refusal.ts';
import type { Wake, WakeUsage } from '../../core/threads/state.ts';
import type { TokenUsage } from '../ask/outcome.ts';
import type { CallReply } from '../calls/calls.ts';
import type { AnswerUsage } from './coordinator.ts';

/** Usage of all calls for one answer, in the form that `wake.closed` records (T18). `reply` is the last call's. */
export function usageFor(
  model: string,
  { prompt, generated, cost = 0, estimated }: TokenUsage,
  reply: CallReply | Refusal,
): AnswerUsage {
  const isFailed = isRefusal(reply);
  const raw = isFailed ? (reply.refusal.raw as string | undefined) : reply.raw;
  return {
    model,
    // A small model is labelled wherever it speaks (M3).
    ...(!isFailed && reply.label && { small: true }),
    ...{ prompt_tokens: prompt, generated_tokens: generated, cost },
    ...(estimated && { estimated }),
    ...(raw !== undefined && { raw }),
    ...(!isFailed && reply.cut && { cut: true }),
  };
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
