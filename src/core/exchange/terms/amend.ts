import { canonicalJson } from '../../events/canonical.ts';
import type { NewEvent } from '../../events/event.ts';
import type { ModeContext } from '../../mode.ts';
import { isRefusal, type Refusal, refuse } from '../../refusal.ts';
import { TermsSet } from '../events.ts';
import { type Exchange, newestTerms, nextRound } from '../state.ts';
import { parseChanges, type Terms, type TermsChanges } from './terms.ts';
import { termsText } from './terms-text.ts';

/** Changes the terms: the next input announces the change, and it takes effect one round later (X3). */
export function amendTerms(
  state: Exchange,
  input: Readonly<Record<string, unknown>>,
  reason: string | undefined,
  context: ModeContext,
): NewEvent | Refusal {
  const set = parseEffectiveChanges(state, input);
  if (isRefusal(set)) return set;
  // A round in progress began without the change.
  const isUnderWay = state.run?.state === 'running' || state.current.spoken > 0;
  const announced = Math.max(nextRound(state) + (isUnderWay ? 1 : 0), newestTerms(state).announced);
  // Before round 1 there is no mind to announce it to (X21).
  const effective = state.rounds.length === 0 && !isUnderWay ? announced : announced + 1;
  return termsEvent(state, set, { announced, effective }, reason, context);
}

/** The changes that differ from the newest terms, or a refusal if there are none. */
function parseEffectiveChanges(state: Exchange, input: Readonly<Record<string, unknown>>): TermsChanges | Refusal {
  const { terms, effective } = newestTerms(state);
  const set = parseChanges(input, terms);
  if (isRefusal(set)) return set;
  const changes = effectiveChanges(set, [terms]);
  if (changes) return changes;
  if (Object.keys(set).length === 0) return refuse('malformed', 'No terms were given. Nothing was changed.');
  const since = effective >= nextRound(state) ? `, from round ${effective} on` : '';
  return refuse('malformed', `The terms already say this${since}. Nothing was changed.`);
}

/** The changes that differ from at least one of the baselines; undefined if there are none. */
export function effectiveChanges(set: TermsChanges, baselines: readonly Terms[]): TermsChanges | undefined {
  const names = (Object.keys(set) as (keyof Terms)[]).filter((name) =>
    baselines.some((terms) => canonicalJson(set[name]) !== canonicalJson(terms[name])),
  );
  return names.length === 0 ? undefined : (Object.fromEntries(names.map((name) => [name, set[name]])) as TermsChanges);
}

export function termsEvent(
  state: Exchange,
  set: TermsChanges,
  { announced, effective }: { readonly announced: number; readonly effective: number },
  reason: string | undefined,
  { thread, hash }: ModeContext,
  id: string = thread.id,
): NewEvent {
  const newest = newestTerms(state);
  const terms = { ...newest.terms, ...set } as Terms;
  return TermsSet.of(id, {
    version: newest.version + 1,
    set,
    hashes: {
      auditor_spec: hash(terms.auditor_spec),
      mind_prompt: hash(terms.mind_prompt),
      observer_role: hash(terms.observer_role),
      terms: hash(termsText(terms)),
    },
    announced,
    effective,
    reason,
  });
}
