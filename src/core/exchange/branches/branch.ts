import type { Decision } from '../../decider.ts';
import type { NewEvent } from '../../events/event.ts';
import type { ModeContext } from '../../mode.ts';
import { isRefusal, type Refusal, refuse } from '../../refusal.ts';
import { ThreadCreated, ThreadForked } from '../../threads/events.ts';
import type { ExchangeInputOf } from '../commands.ts';
import { BranchBegun, BranchRolledBack, RestartAnswered } from '../events.ts';
import { endRounds, remainingRounds, startedEvent } from '../rounds/runs.ts';
import { type Exchange, newestTerms, termsAt } from '../state.ts';
import { effectiveChanges, termsEvent } from '../terms/amend.ts';
import { parseChanges } from '../terms/terms.ts';

/** The options of a new branch. */
interface BranchPlan {
  readonly kind: 'branch' | 'rollback' | 'control';
  readonly title?: string | undefined;
  readonly reason?: string | undefined;
  readonly set?: Readonly<Record<string, unknown>> | undefined;
  /** The round to go back to; without it, the branch keeps the whole past. */
  readonly round?: number | undefined;
  readonly restart?: number;
  readonly auto?: true;
  /** Starts a run in the branch at once; without a number of rounds, the budget is the limit. */
  readonly run?: { readonly rounds?: number | undefined };
}

export function decideBranch(state: Exchange, input: ExchangeInputOf<'branch'>, context: ModeContext): Decision {
  const { title, reason, set, control, rounds } = input;
  if (control && set) return refuse('malformed', 'A control branch keeps its terms. Leave out "set".', { key: 'set' });
  const branch = beginBranch(
    state,
    { kind: control ? 'control' : 'branch', title, reason, set, ...(rounds !== undefined && { run: { rounds } }) },
    context,
  );
  return isRefusal(branch) ? branch : branch.events;
}

export function decideRollback(state: Exchange, input: ExchangeInputOf<'rollback'>, context: ModeContext): Decision {
  const { round, title, reason, set } = input;
  const branch = beginBranch(state, { kind: 'rollback', round, title, reason, set }, context);
  if (isRefusal(branch)) return branch;
  return [
    ...branch.events,
    rolledBackEvent(branch.fork, round, reason, context),
    ...endRounds(state, 'rolled_back', context),
  ];
}

/** Carries out the observer's decision on a restart. The reason is recorded and shown to the pool (X8). */
export function branchForRestart(
  state: Exchange,
  restart: number,
  { decision, reason, set, round, title }: ExchangeInputOf<'decide'>,
  context: ModeContext,
): Decision {
  const kind = decision === 'rollback' ? 'rollback' : 'branch';
  const rounds = remainingRounds(state);
  const run = rounds === 0 || state.awaiting !== undefined ? undefined : { rounds };
  const branch = beginBranch(state, { kind, title, reason, set, round, restart, ...(run && { run }) }, context);
  if (isRefusal(branch)) return branch;
  const { events, fork } = branch;
  return [
    ...events,
    RestartAnswered.of(context.thread.id, { restart, decision, reason, thread: fork, round }),
    ...(kind === 'rollback' ? [rolledBackEvent(fork, round ?? 0, reason, context)] : []),
    ...endRounds(state, kind === 'rollback' ? 'rolled_back' : 'branched', context),
  ];
}

/** The terms' policy answers the restart with a branch, which continues with the same terms (X8). */
export function branchByPolicy(state: Exchange, restart: number, context: ModeContext): Decision {
  if (state.pending?.restart !== restart || state.pending.policy !== 'branch') return [];
  const reason = 'The terms say that a request for a restart leads to a branch.';
  const rounds = remainingRounds(state);
  const branch = beginBranch(
    state,
    { kind: 'branch', reason, restart, auto: true, ...(rounds !== 0 && { run: { rounds } }) },
    context,
  );
  if (isRefusal(branch)) return branch;
  const auto = { set_by: state.policyBy };
  return [
    ...branch.events,
    RestartAnswered.of(context.thread.id, { restart, decision: 'branch', reason, thread: branch.fork, auto }),
    ...endRounds(state, 'branched', context),
  ];
}

/** A fork and its first events. The number of rows does not depend on the length of the past (X9, L13). */
function beginBranch(
  state: Exchange,
  { kind, title, reason, set, round, restart, auto, run }: BranchPlan,
  context: ModeContext,
): { readonly events: readonly NewEvent[]; readonly fork: string } | Refusal {
  const { thread, newId } = context;
  const forkPoint = round === undefined ? { seq: thread.seq, round: state.rounds.length } : endOfRound(state, round);
  if (isRefusal(forkPoint)) return forkPoint;
  const pastState = { ...state, terms: state.terms.slice(0, termsCountAt(state, forkPoint.seq)) };
  const parsed = parseChanges(set ?? {}, newestTerms(pastState).terms);
  if (isRefusal(parsed)) return parsed;
  const forkId = newId();
  const forkTitle = title ?? branchTitle(thread.title, kind, forkPoint.round);
  const effective = forkPoint.round + 1;
  // Announced terms that are not yet in effect must not block setting the same terms here at once (X17).
  const changes = effectiveChanges(parsed, [termsAt(pastState, effective).terms, newestTerms(pastState).terms]);
  return {
    fork: forkId,
    events: [
      ThreadCreated.of(forkId, {
        title: forkTitle,
        kind: 'exchange',
        forked_from: { thread: thread.id, seq: forkPoint.seq },
      }),
      BranchBegun.of(forkId, { kind, from: { thread: thread.id, round: forkPoint.round }, reason, restart, auto }),
      // Changes apply to the terms at the fork point, not to later ones.
      ...(changes
        ? [termsEvent(pastState, changes, { announced: effective, effective }, reason, context, forkId)]
        : []),
      ...(run ? [branchRunEvent(state, forkPoint.round, run.rounds, context, forkId)] : []),
      ThreadForked.of(thread.id, { thread: forkId, seq: forkPoint.seq, title: forkTitle }),
    ],
  };
}

/** The number of terms versions up to this seq. */
function termsCountAt({ terms }: Exchange, seq: number): number {
  let versionCount = 1;
  while (versionCount < terms.length && (terms.at(versionCount)?.seq ?? 0) <= seq) versionCount++;
  return versionCount;
}

function branchRunEvent(
  state: Exchange,
  round: number,
  rounds: number | undefined,
  context: ModeContext,
  fork: string,
): NewEvent {
  // Run numbers continue from the fork point, too.
  const pastRuns = round === 0 ? 0 : (state.rounds.at(round - 1)?.run ?? 0);
  const runs = round === state.rounds.length ? state.runs : pastRuns;
  return { ...startedEvent({ ...state, runs }, { rounds, budget: state.run?.budget }, context), thread: fork };
}

function rolledBackEvent(fork: string, round: number, reason: string | undefined, { thread }: ModeContext): NewEvent {
  return BranchRolledBack.of(thread.id, { thread: fork, round, reason });
}

function endOfRound(state: Exchange, round: number): { readonly seq: number; readonly round: number } | Refusal {
  if (round === 0) return { seq: state.beginning, round };
  const endedRound = state.rounds.at(round - 1);
  if (endedRound) return { seq: endedRound.seq, round };
  const available = state.rounds.length === 0 ? 'there has been none yet' : `there are 1 to ${state.rounds.length}`;
  return refuse('unknown_round', `There is no round ${round} to roll back to; ${available} (0 is the beginning).`, {
    round,
  });
}

const KIND_LABELS = { branch: 'branch', rollback: 'back to', control: 'control' } as const;

function branchTitle(title: string, kind: BranchPlan['kind'], round: number): string {
  const base = [...title].slice(0, 160).join('');
  return `${base} (${KIND_LABELS[kind]}${kind === 'rollback' ? '' : ' at'} round ${round})`;
}
