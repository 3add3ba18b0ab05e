import type { ContentOf } from '../../events/define.ts';
import type { NewEvent } from '../../events/event.ts';
import type { ModeContext } from '../../mode.ts';
import { type Refusal, refuse } from '../../refusal.ts';
import { createRunDecisions } from '../../runs/decide.ts';
import { waitEvent } from '../../runs/wait.ts';
import type { ExchangeInputOf, ExchangeRunOptions } from '../commands.ts';
import { RoundsEnded, RoundsPaused, RoundsResumed, RoundsStarted, RoundsWaiting } from '../events.ts';
import { currentTerms, type Exchange, type ExchangeRun, isControl, roundsSinceAudit } from '../state.ts';
import type { ExchangeBudget } from '../terms/terms.ts';
import { auditInProgress } from './audit-progress.ts';

type EndReason = ContentOf<typeof RoundsEnded>['reason'];
type PauseReason = ContentOf<typeof RoundsPaused>['reason'];

export const MAX_FAILURES = 3;
/** The limit of rounds started with neither a number nor a budget, such as those of a branch. */
const DEFAULT_BUDGET: ExchangeBudget = { rounds: 200 };

const runs = createRunDecisions({
  ...{ paused: RoundsPaused, resumed: RoundsResumed, ended: RoundsEnded, waiting: RoundsWaiting },
  stepBudget: ({ rounds }: ExchangeBudget) => rounds,
  steps: 'rounds',
  subject: 'the rounds',
  resumeHint: 'Resume with the same budget again, or stop the rounds.',
  notRunning: 'No rounds are running. Start some first.',
});

export function startRounds(
  state: Exchange,
  options: ExchangeRunOptions,
  context: ModeContext,
): readonly NewEvent[] | Refusal {
  if (state.run?.state === 'running') {
    return refuse('already_running', 'Rounds are already running. Pause or stop them first.');
  }
  return refuseIfBlocked(state) ?? [...endRounds(state, 'replaced', context), startedEvent(state, options, context)];
}

export function startedEvent(
  state: Exchange,
  { rounds: roundCount, budget: requestedBudget, seed }: ExchangeRunOptions,
  { thread, random }: ModeContext,
): NewEvent {
  const rounds = roundCount ?? (requestedBudget === undefined ? roundsToAudit(state) : undefined);
  const baseBudget = requestedBudget ?? currentTerms(state).terms.budget;
  const budget = rounds === undefined && Object.keys(baseBudget).length === 0 ? DEFAULT_BUDGET : baseBudget;
  return RoundsStarted.of(thread.id, {
    run: state.runs + 1,
    rounds,
    seed: seed ?? Math.floor(random() * 2 ** 31),
    budget,
  });
}

/** Rounds until the next audit. An audit that is due is written first and does not count as the next. */
function roundsToAudit(state: Exchange): number {
  const { audit_every } = currentTerms(state).terms;
  if (state.auditDue) return audit_every;
  return Math.max(1, audit_every - roundsSinceAudit(state, state.rounds.length));
}

/** Refuses with the reason if the rounds cannot continue. */
function refuseIfBlocked(state: Exchange): Refusal | undefined {
  const { halted, pending } = state;
  if (halted) {
    return refuse(
      'halted',
      `${halted.by} halted this exchange: ${halted.reason} Branch it or roll it back to continue.`,
    );
  }
  if (pending && pending.policy !== 'alert' && !isControl(state)) {
    return refuse(
      'answer_pending',
      'The pool asks for a restart, and nothing continues until you decide: branch, rollback, amend, acknowledge or halt.',
      { restart: pending.restart },
    );
  }
  return undefined;
}

export function pauseRounds({ run }: Exchange, context: ModeContext): readonly NewEvent[] | Refusal {
  return runs.pause(run, context);
}

export function resumeRounds(
  state: Exchange,
  budget: ExchangeBudget | undefined,
  context: ModeContext,
): readonly NewEvent[] | Refusal {
  const { run } = state;
  if (run?.state === 'running') return [];
  if (run?.state !== 'paused') return runs.refuseNotRunning();
  return refuseIfBlocked(state) ?? continueRounds(state, context, budget);
}

/** Continues a paused run, or ends it if no rounds are left. */
export function continueRounds(
  { run, auditDue }: Exchange,
  context: ModeContext,
  budget?: ExchangeBudget,
): readonly NewEvent[] {
  if (run?.state !== 'paused') return [];
  if (run.limit !== undefined && run.done >= run.limit && !auditDue) return runs.end(run, 'done', context.thread.id);
  return runs.resume(run, budget, context);
}

export function endRounds({ run }: Exchange, reason: EndReason, { thread }: ModeContext): readonly NewEvent[] {
  return runs.end(run, reason, thread.id);
}

export function pausedEvent(run: ExchangeRun, reason: PauseReason, why: string, { thread }: ModeContext): NewEvent {
  return runs.pausedEvent(run, reason, why, thread.id);
}

/** Waits for a model that cannot answer now, unless the run's time limit is reached (D31). */
export function decideRoundsWait(
  state: Exchange,
  input: ExchangeInputOf<'report_wait'>,
  context: ModeContext,
): readonly NewEvent[] {
  const { run, held } = state;
  const { audit, mind } = input;
  if (held || (audit !== undefined && auditInProgress(state) !== audit)) return [];
  const extra = { ...(audit !== undefined && { audit }), ...(mind !== undefined && { mind }) };
  if (run?.run === input.run && run.state === 'running') return runs.wait(run, input, context, extra);
  return audit === undefined ? [] : [waitEvent(RoundsWaiting, input, context, extra)];
}

/** The number of rounds left in the run. */
export function remainingRounds({ run }: Exchange): number | undefined {
  if (!run || run.state === 'ended') return 0;
  return run.limit === undefined ? undefined : Math.max(0, run.limit - run.done);
}

/** The events after a round or its audit: the run ends, pauses because a budget is used up, or just continues (X12). */
export function eventsAfterStep(run: ExchangeRun, context: ModeContext): readonly NewEvent[] {
  if (run.limit !== undefined && run.done >= run.limit) return runs.end(run, 'done', context.thread.id);
  return runs.pauseIfExhausted(run, context);
}
