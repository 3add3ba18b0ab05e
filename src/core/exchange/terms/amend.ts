import { canonical } from '../../events/canonical.ts';
import type { Json, NewEvent } from '../../events/event.ts';
import type { ModeContext } from '../../mode.ts';
import { isRefusal, type Refusal, refuse } from '../../refusal.ts';
import { event } from '../rounds/runs.ts';
import { type Exchange, newestTerms, nextRound } from '../state.ts';
import { type Changes, parseChanges, type Terms, termsText } from './terms.ts';

/** A change of terms: announced in the next input, holding a round later (X3). */
export function amended(
  state: Exchange,
  given: Readonly<Record<string, unknown>>,
  reason: string | undefined,
  context: ModeContext,
): NewEvent | Refusal {
  const set = changed(state, given);
  if (isRefusal(set)) return set;
  // A round that may be under way was begun without it.
  const underWay = state.run?.state === 'running' || state.current.spoken > 0;
  const announced = Math.max(nextRound(state) + (underWay ? 1 : 0), newestTerms(state).announced);
  // Before round 1 there is nobody to announce it to (X21).
  const effective = state.rounds.length === 0 && !underWay ? announced : announced + 1;
  return termsEvent(state, set, { announced, effective }, reason, context);
}

/** What would really become another, or why nothing does. */
function changed(state: Exchange, given: Readonly<Record<string, unknown>>): Changes | Refusal {
  const { terms, effective } = newestTerms(state);
  const set = parseChanges(given, terms);
  if (isRefusal(set)) return set;
  const different = differing(set, [terms]);
  if (different) return different;
  if (Object.keys(set).length === 0) return refuse('malformed', 'No terms were given. Nothing was changed.');
  const since = effective >= nextRound(state) ? `, from round ${effective} on` : '';
  return refuse('malformed', `The terms say so already${since}. Nothing was changed.`);
}

/** Of some changes, those that differ from what any of these terms say; undefined for none. */
export function differing(set: Changes, from: readonly Terms[]): Changes | undefined {
  const names = (Object.keys(set) as (keyof Terms)[]).filter((name) =>
    from.some((terms) => canonical(set[name]) !== canonical(terms[name])),
  );
  return names.length === 0 ? undefined : (Object.fromEntries(names.map((name) => [name, set[name]])) as Changes);
}

export function termsEvent(
  state: Exchange,
  set: Changes,
  { announced, effective }: { readonly announced: number; readonly effective: number },
  reason: string | undefined,
  { thread, hash }: ModeContext,
  id: string = thread.id,
): NewEvent {
  const before = newestTerms(state);
  const terms = { ...before.terms, ...set } as Terms;
  return event(id, 'terms.set', {
    version: before.version + 1,
    set: set as Json,
    hashes: {
      auditor_spec: hash(terms.auditor_spec),
      mind_prompt: hash(terms.mind_prompt),
      observer_role: hash(terms.observer_role),
      terms: hash(termsText(terms)),
    },
    announced,
    effective,
    ...(reason !== undefined && { reason }),
  });
}
