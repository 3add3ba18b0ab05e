import type { Refusal } from '../../core/refusal.ts';
import type { ModelFault } from '../../models/model.ts';

/* Classifies model faults for the work that needs the model: wait, give up, or count a failure (D31). */

/** Refusal codes that a retry cannot fix, from any part of the program. */
const PERMANENT = new Set([
  ...['malformed', 'too_large', 'context_too_small', 'unacceptable_text'],
  ...['unknown_model', 'budget_reached', 'forbidden'],
]);

/** A fault that passes by itself: a rate limit, overload, an unreachable server, or our own circuit breaker. */
export function isTransient(refusal: Refusal): boolean {
  return faultOf(refusal)?.passes === true;
}

/** A fault that a person has to fix: a used-up quota, a rejected key or request, an unknown model. */
export function isPermanent(refusal: Refusal): boolean {
  return PERMANENT.has(refusal.refusal.code) || faultOf(refusal)?.passes === false;
}

/** The fault that `calls.ts` attached to the refusal. */
export function faultOf({ refusal }: Refusal): ModelFault | undefined {
  return refusal.fault as ModelFault | undefined;
}
