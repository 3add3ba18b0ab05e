import type { Refusal } from '../../core/refusal.ts';
import type { ModelFault } from '../../models/model.ts';

/* What a model that cannot answer means for the work that needs it: wait, give up, or count it as a failure (D31). */

/** What trying again cannot mend, whichever part of the program says so. */
const PERMANENT = new Set([
  ...['malformed', 'too_large', 'context_too_small', 'unacceptable_text'],
  ...['unknown_model', 'budget_reached', 'forbidden'],
]);

/** A rate limit, overload, a server that is away, or our own breaker that spares one: it passes by itself. */
export function isTransient(refusal: Refusal): boolean {
  return faultOf(refusal)?.passes === true;
}

/** A used-up quota, a refused key or request, an unknown model: a person has to do something. */
export function isPermanent(refusal: Refusal): boolean {
  return PERMANENT.has(refusal.refusal.code) || faultOf(refusal)?.passes === false;
}

/** As calls.ts hands it on. */
export function faultOf({ refusal }: Refusal): ModelFault | undefined {
  return refusal.fault as ModelFault | undefined;
}
