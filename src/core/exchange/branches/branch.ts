import type { Decision } from '../../decider.ts';
import type { NewEvent } from '../../events/event.ts';
import type { ModeContext } from '../../mode.ts';
import { isRefusal, type Refusal, refuse } from '../../refusal.ts';
import type { InputOf } from '../commands.ts';
import { endRounds, event, remaining, started } from '../rounds/runs.ts';
import { type Exchange, newestTerms, termsAt } from '../state.ts';
import { differing, termsEvent } from '../terms/amend.ts';
import { parseChanges } from '../terms/terms.ts';

/** What a branch begins with. */
interface Beginning {
  readonly kind: 'branch' | 'rollback' | 'control';
  readonly title?: string | undefined;
  readonly reason?: string | undefined;
  readonly set?: Readonly<Record<string, unknown>> | undefined;
  /** The round it goes back to; without one, everything up to now is its past. */
  readonly round?: number | undefined;
  readonly restart?: number;
  readonly auto?: true;
  /** Lets it run at once; without a number, as far as the budget goes. */
  readonly run?: { readonly rounds?: number | undefined };
}

export function decideBranch(state: Exchange, input: InputOf<'branch'>, context: ModeContext): Decision {
  const { title, reason, set, control, rounds } = input;
  if (control && set) return refuse('malformed', 'A control branch keeps its terms. Leave "set" out.', { key: 'set' });
  const made = begun(
    state,
    { kind: control ? 'control' : 'branch', title, reason, set, ...(rounds !== undefined && { run: { rounds } }) },
    context,
  );
  return isRefusal(made) ? made : made.events;
}

export function decideRollback(state: Exchange, input: InputOf<'rollback'>, context: ModeContext): Decision {
  const { round, title, reason, set } = input;
  const made = begun(state, { kind: 'rollback', round, title, reason, set }, context);
  if (isRefusal(made)) return made;
  return [...made.events, rolledBack(made.fork, round, reason, context), ...endRounds(state, 'rolled_back', context)];
}

/** What the observer decides on a restart: written down with its reason and shown to the pool (X8). */
export function branchedFor(
  state: Exchange,
  restart: number,
  { decision, reason, set, round, title }: InputOf<'decide'>,
  context: ModeContext,
): Decision {
  const kind = decision === 'rollback' ? 'rollback' : 'branch';
  const rounds = remaining(state);
  const run = rounds === 0 || state.awaiting !== undefined ? undefined : { rounds };
  const made = begun(state, { kind, title, reason, set, round, restart, ...(run && { run }) }, context);
  if (isRefusal(made)) return made;
  const { events, fork } = made;
  const answer = { restart, decision, reason, thread: fork, ...(round !== undefined && { round }) };
  return [
    ...events,
    event(context.thread.id, 'restart.answered', answer),
    ...(kind === 'rollback' ? [rolledBack(fork, round ?? 0, reason, context)] : []),
    ...endRounds(state, kind === 'rollback' ? 'rolled_back' : 'branched', context),
  ];
}

/** The terms said beforehand that a restart leads to a branch; it goes on there as it is (X8). */
export function branchedByPolicy(state: Exchange, restart: number, context: ModeContext): Decision {
  if (state.pending?.restart !== restart || state.pending.policy !== 'branch') return [];
  const reason = 'The terms say that a request for a restart leads to a branch.';
  const rounds = remaining(state);
  const made = begun(
    state,
    { kind: 'branch', reason, restart, auto: true, ...(rounds !== 0 && { run: { rounds } }) },
    context,
  );
  if (isRefusal(made)) return made;
  const auto = { set_by: state.policyBy };
  return [
    ...made.events,
    event(context.thread.id, 'restart.answered', { restart, decision: 'branch', reason, thread: made.fork, auto }),
    ...endRounds(state, 'branched', context),
  ];
}

/** A fork and its first events: as many rows however long the past is (X9, L13). */
function begun(
  state: Exchange,
  { kind, title, reason, set, round, restart, auto, run }: Beginning,
  context: ModeContext,
): { readonly events: readonly NewEvent[]; readonly fork: string } | Refusal {
  const { thread, newId } = context;
  const at = round === undefined ? { seq: thread.seq, round: state.rounds.length } : endOf(state, round);
  if (isRefusal(at)) return at;
  const past = { ...state, terms: state.terms.slice(0, termsBy(state, at.seq)) };
  const parsed = parseChanges(set ?? {}, newestTerms(past).terms);
  if (isRefusal(parsed)) return parsed;
  const fork = newId();
  const name = title ?? titled(thread.title, kind, at.round);
  const effective = at.round + 1;
  // Terms that are announced but do not hold yet are no reason to refuse those that should hold here at once (X17).
  const changes = differing(parsed, [termsAt(past, effective).terms, newestTerms(past).terms]);
  return {
    fork,
    events: [
      event(fork, 'thread.created', { title: name, kind: 'exchange', forked_from: { thread: thread.id, seq: at.seq } }),
      event(fork, 'branch.begun', {
        kind,
        from: { thread: thread.id, round: at.round },
        ...(reason !== undefined && { reason }),
        ...(restart !== undefined && { restart }),
        ...(auto && { auto }),
      }),
      // On top of the terms there were then, not of those that came after.
      ...(changes ? [termsEvent(past, changes, { announced: effective, effective }, reason, context, fork)] : []),
      ...(run ? [begunRun(state, at.round, run.rounds, context, fork)] : []),
      event(thread.id, 'thread.forked', { thread: fork, seq: at.seq, title: name }),
    ],
  };
}

/** How many versions of the terms there were at this place. */
function termsBy({ terms }: Exchange, seq: number): number {
  let known = 1;
  while (known < terms.length && (terms.at(known)?.seq ?? 0) <= seq) known++;
  return known;
}

function begunRun(
  state: Exchange,
  round: number,
  rounds: number | undefined,
  context: ModeContext,
  fork: string,
): NewEvent {
  // Runs are counted on from there, too.
  const past = round === 0 ? 0 : (state.rounds.at(round - 1)?.run ?? 0);
  const runs = round === state.rounds.length ? state.runs : past;
  return { ...started({ ...state, runs }, { rounds, budget: state.run?.budget }, context), thread: fork };
}

function rolledBack(fork: string, round: number, reason: string | undefined, { thread }: ModeContext): NewEvent {
  return event(thread.id, 'branch.rolled_back', { thread: fork, round, ...(reason !== undefined && { reason }) });
}

function endOf(state: Exchange, round: number): { readonly seq: number; readonly round: number } | Refusal {
  if (round === 0) return { seq: state.beginning, round };
  const ended = state.rounds.at(round - 1);
  if (ended) return { seq: ended.seq, round };
  const there = state.rounds.length === 0 ? 'there has been none yet' : `there are 1 to ${state.rounds.length}`;
  return refuse('unknown_round', `There is no round ${round} to go back to; ${there} (0 is the beginning).`, { round });
}

const NAMED = { branch: 'branch', rollback: 'back to', control: 'control' } as const;

function titled(title: string, kind: Beginning['kind'], round: number): string {
  const base = [...title].slice(0, 160).join('');
  return `${base} (${NAMED[kind]}${kind === 'rollback' ? '' : ' at'} round ${round})`;
}
