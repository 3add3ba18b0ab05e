import type { Decision } from '../../decider.ts';
import type { NewEvent } from '../../events/event.ts';
import type { ModeContext } from '../../mode.ts';
import { ThoughtClustered } from '../../pool/events.ts';
import { countStep } from '../../runs/run.ts';
import type { CallProblem } from '../../runs/schema.ts';
import type { ExchangeInputOf } from '../commands.ts';
import { CallLate, MindSpoke, RestartDetected, RoundEnded } from '../events.ts';
import {
  currentTerms,
  type Exchange,
  type ExchangeRun,
  isControl,
  type MindSpokeContent,
  nextRound,
  type RestartEvidence,
  roundsSinceAudit,
} from '../state.ts';
import { divisionOf } from './division.ts';
import { measureProportions } from './drift.ts';
import { restartRequestIn, restartSignsOf } from './restart-signs.ts';
import { eventsAfterStep, MAX_FAILURES, pausedEvent } from './runs.ts';

/** Records a mind's output: thoughts for the pool, which have no effect except for a restart request (X2, X5, X18). */
export function decideMindSpoke(
  state: Exchange,
  input: ExchangeInputOf<'report_thoughts'>,
  context: ModeContext,
): Decision {
  const { thread: _, result, blobs, mind, iter, ...facts } = input;
  const { run, held, current } = state;
  const { id } = context.thread;
  const envelope = blobs && blobs.length > 0 ? { meta: { blobs } } : {};
  if (run?.run !== facts.run || run.state !== 'running' || held) {
    const thoughts = 'thoughts' in result ? result.thoughts : [];
    return [CallLate.of(id, { ...facts, from: 'mind', thoughts }, envelope)];
  }
  // Minds are recorded in their order, whichever finished first, so that the log is the same either way.
  if (facts.round !== nextRound(state) || mind !== current.spoken) return [];
  // Without a model call there is no output to record (X12).
  if ('error' in result && result.budget && facts.usage.prompt === 0)
    return [pausedEvent(run, 'budget', result.error, context)];
  const hasFailed = 'malformed' in result || 'error' in result;
  return [
    MindSpoke.of(id, { ...facts, mind, iter, ...outcomeOf(result) }, envelope),
    ...(hasFailed ? eventsAfterFailure(state, run, result, context) : []),
  ];
}

function outcomeOf(
  result: ExchangeInputOf<'report_thoughts'>['result'],
): Pick<MindSpokeContent, 'outcome' | 'thoughts' | 'restart' | 'problem'> {
  if ('malformed' in result) return { outcome: 'malformed', thoughts: [], problem: result.malformed };
  if ('error' in result) return { outcome: 'error', thoughts: [], problem: result.error };
  const { thoughts } = result;
  const restart = result.restart ?? restartRequestIn(thoughts);
  return { outcome: thoughts.length > 0 ? 'thoughts' : 'silence', thoughts, ...(restart && { restart }) };
}

function eventsAfterFailure(
  state: Exchange,
  run: ExchangeRun,
  result: CallProblem,
  context: ModeContext,
): readonly NewEvent[] {
  const problem = 'malformed' in result ? result.malformed : result.error;
  if ('error' in result && result.budget) return [pausedEvent(run, 'budget', result.error, context)];
  if ('error' in result && result.lasting) {
    return [pausedEvent(run, 'refused', `${problem} Retrying will not help.`, context)];
  }
  if (state.failures + 1 < MAX_FAILURES) return [];
  const why = `${MAX_FAILURES} calls of minds in a row failed. The last error: ${problem}`;
  return [pausedEvent(run, 'failures', why, context)];
}

/**
 * Ends the round. Its thoughts are clustered, and the new state of the pool may trigger an audit or a restart (X1, X6).
 */
export function decideRoundSettled(
  state: Exchange,
  input: ExchangeInputOf<'settle_round'>,
  context: ModeContext,
): Decision {
  const { run, current } = state;
  const { thread } = context;
  const { terms } = currentTerms(state);
  const isDue = run?.run === input.run && run.state === 'running' && current.spoken >= terms.minds.length;
  if (!isDue || input.round !== nextRound(state) || input.after !== state.pool.members.length) return [];
  const { pool } = state;
  const division = divisionOf(pool, input.assignments);
  const auditDue = state.auditDue || roundsSinceAudit(state, input.round) >= terms.audit_every;
  const signs = restartSignsOf(division, terms.restart, state.disarmed, auditDue);
  const evidence: RestartEvidence[] = [...current.restarts, ...signs.firing];
  const endedEvent = RoundEnded.of(thread.id, {
    round: input.round,
    run: run.run,
    before: current.pool.thoughts.length,
    after: pool.thoughts.length,
    drift: { diversity: input.diversity, novelty: input.novelty, ...measureProportions(division) },
    rearmed: signs.faded.length > 0 ? [...signs.faded] : undefined,
    audit_due: auditDue || undefined,
    problem: input.problem,
  });
  const events = [...input.assignments.map((each) => ThoughtClustered.of(thread.id, each)), endedEvent];
  const next = auditDue ? [] : eventsAfterStep(countStep(run, context.now), context);
  if (evidence.length === 0 || state.pending) return [...events, ...next];

  const policy = isControl(state) ? 'alert' : terms.policy;
  const restartEvent = RestartDetected.of(thread.id, {
    restart: state.restarts.length + 1,
    round: input.round,
    evidence,
    disarmed: signs.firing.map(({ cluster }) => cluster),
    policy,
  });
  if (policy === 'alert') return [...events, restartEvent, ...next];
  const why =
    policy === 'pause'
      ? 'The pool asks for a restart. Decide: branch, rollback, amend, acknowledge or halt.'
      : 'The pool asks for a restart. By its terms, the exchange continues in a branch.';
  return [...events, restartEvent, pausedEvent(run, 'restart', why, context)];
}
