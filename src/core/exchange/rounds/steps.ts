import type { Decision } from '../../decider.ts';
import type { Json, NewEvent } from '../../events/event.ts';
import type { ModeContext } from '../../mode.ts';
import type { CallProblem, ExchangeInputOf } from '../commands.ts';
import { addUsage } from '../evolve.ts';
import {
  currentTerms,
  type Exchange,
  type ExchangeRun,
  isControl,
  nextRound,
  type RestartEvidence,
  roundsSinceAudit,
} from '../state.ts';
import { divisionOf } from './division.ts';
import { measureProportions } from './drift.ts';
import { restartRequestIn, restartSignsOf } from './restart-signs.ts';
import { eventsAfterStep, MAX_FAILURES, newEvent, pausedEvent } from './runs.ts';

/** What a mind wrote: thoughts for the pool, and no more than thoughts but for a request for a restart (X2, X5, X18). */
export function decideMindSpoke(state: Exchange, input: ExchangeInputOf<'mind_spoke'>, context: ModeContext): Decision {
  const { thread: _, result, blobs, mind, iter, ...facts } = input;
  const { run, held, current } = state;
  const record = createRecorder(context, blobs);
  if (run?.run !== facts.run || run.state !== 'running' || held) {
    const thoughts = 'thoughts' in result ? result.thoughts : [];
    return [record('call.late', { ...facts, from: 'mind', thoughts } as unknown as Json)];
  }
  // Minds are heard in their order, whoever finished first: the log is the same either way.
  if (facts.round !== nextRound(state) || mind !== current.spoken) return [];
  // Where nothing was asked, nobody spoke (X12).
  if ('error' in result && result.budget && facts.usage.prompt === 0)
    return [pausedEvent(run, 'budget', result.error, context)];
  const content = { ...facts, mind, iter, ...outcomeOf(result) };
  const hasFailed = 'malformed' in result || 'error' in result;
  return [
    record('mind.spoke', content as unknown as Json),
    ...(hasFailed ? eventsAfterFailure(state, run, result, context) : []),
  ];
}

function outcomeOf(result: ExchangeInputOf<'mind_spoke'>['result']) {
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
  const why = `${MAX_FAILURES} calls of minds in a row came to nothing, the last because: ${problem}`;
  return [pausedEvent(run, 'failures', why, context)];
}

/** The round is over: its thoughts have their places, and what the pool has become may call for something (X1, X6). */
export function decideRoundSettled(
  state: Exchange,
  input: ExchangeInputOf<'round_settled'>,
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
  const evidence: readonly RestartEvidence[] = [...current.restarts, ...signs.firing];
  const endedEvent = newEvent(thread.id, 'round.ended', {
    round: input.round,
    run: run.run,
    before: current.pool.thoughts.length,
    after: pool.thoughts.length,
    drift: { diversity: input.diversity, novelty: input.novelty, ...measureProportions(division) },
    ...(signs.faded.length > 0 && { rearmed: signs.faded }),
    ...(auditDue && { audit_due: true }),
    ...(input.problem !== undefined && { problem: input.problem }),
  });
  const events = [...input.assignments.map((each) => newEvent(thread.id, 'thought.clustered', each)), endedEvent];
  const updatedRun = { ...run, done: run.done + 1, spent: { ...run.spent, rounds: run.spent.rounds + 1 } };
  const next = auditDue ? [] : eventsAfterStep(updatedRun, context);
  if (evidence.length === 0 || state.pending) return [...events, ...next];

  const policy = isControl(state) ? 'alert' : terms.policy;
  const restartEvent = newEvent(thread.id, 'restart.detected', {
    restart: state.restarts.length + 1,
    round: input.round,
    evidence: evidence as unknown as Json,
    disarmed: signs.firing.map(({ cluster }) => cluster),
    policy,
  });
  if (policy === 'alert') return [...events, restartEvent, ...next];
  const why =
    policy === 'pause'
      ? 'The pool asks for a restart. Decide: branch, rollback, amend, acknowledge or halt.'
      : 'The pool asks for a restart; it goes on in a branch, as the terms say.';
  return [...events, restartEvent, pausedEvent(run, 'restart', why, context)];
}

/** A late audit costs what it cost; the run goes on as if the audit's call had been its own. */
export function chargeRun(run: ExchangeRun, usage: ExchangeInputOf<'audited'>['usage']): ExchangeRun {
  return { ...run, spent: addUsage(run.spent, { usage }) };
}

export function createRecorder({ thread }: ModeContext, blobs: readonly string[] | undefined) {
  return (type: string, content: Json): NewEvent => ({
    thread: thread.id,
    type,
    content,
    ...(blobs && blobs.length > 0 && { meta: { blobs } }),
  });
}
