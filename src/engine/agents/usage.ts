import { isRefusal, type Refusal } from '../../core/refusal.ts';
import type { Wake } from '../../core/threads/state.ts';
import { addUsage, type TokensUsed, usageOf } from '../ask/outcome.ts';
import type { Called } from '../calls/calls.ts';
import type { Usage } from './coordinator.ts';

/** What all calls for an answer used, as `wake.closed` says it (T18): `called` is the last of them. */
export function usageFor(model: string, before: TokensUsed, called: Called | Refusal): Usage {
  const isLost = isRefusal(called);
  const { prompt, generated, cost, estimated } = isLost ? before : addUsage(before, usageOf(called));
  const raw = isLost ? (called.refusal.raw as string | undefined) : called.raw;
  return {
    model,
    // A small model says so wherever it speaks (M3).
    ...(!isLost && called.label && { small: true }),
    ...{ prompt_tokens: prompt, generated_tokens: generated, cost: cost ?? 0 },
    ...(estimated && { estimated }),
    ...(raw !== undefined && { raw }),
    ...(!isLost && called.cut && { cut: true }),
  };
}

/** The same of a call that failed: nothing is said where nothing was used. `before` is what an earlier call said. */
export function usageLost(
  model: string,
  wasted: TokensUsed,
  refused: Refusal,
  before: Usage = {},
): { readonly usage?: Usage } {
  return wasted.prompt + wasted.generated === 0 ? {} : { usage: { ...before, ...usageFor(model, wasted, refused) } };
}

/** The same while it is waited, without the raw response, which the wait names. */
export function usageUntil(refused: Refusal, wasted: TokensUsed): { readonly usage?: Usage } {
  const { usage } = usageLost(String(refused.refusal.model), wasted, refused);
  if (!usage) return {};
  const { raw: _, ...used } = usage;
  return { usage: used };
}

/** What calls used before a wait, a pause or a restart. */
export function usedBefore(usage: Wake['usage']): TokensUsed | undefined {
  if (!usage) return undefined;
  const { prompt_tokens, generated_tokens, cost, estimated } = usage;
  return {
    ...{ prompt: prompt_tokens, generated: generated_tokens },
    ...(cost > 0 && { cost }),
    ...(estimated && { estimated }),
  };
}
