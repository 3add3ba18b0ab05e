import type { Decision } from '../../decider.ts';
import type { Json, NewEvent } from '../../events/event.ts';
import type { ModeContext } from '../../mode.ts';
import type { InputOf, Problem } from '../commands.ts';
import { spentWith } from '../evolve.ts';
import { type Evidence, type Exchange, isControl, nextRound, type Run, sinceAudit, termsNow } from '../state.ts';
import { divisionOf } from './division.ts';
import { proportions } from './drift.ts';
import { requestIn, signsOf } from './restart-signs.ts';
import { afterStep, event, FAILURES, paused } from './runs.ts';

/** What a mind wrote: thoughts for the pool, and no more than thoughts but for a request for a restart (X2, X5, X18). */
export function decideSpoken(state: Exchange, input: InputOf<'mind_spoke'>, context: ModeContext): Decision {
  const { thread: _, result, blobs, mind, iter, ...facts } = input;
  const { run, held, current } = state;
  const record = recorder(context, blobs);
  if (run?.run !== facts.run || run.state !== 'running' || held) {
    const thoughts = 'thoughts' in result ? result.thoughts : [];
    return [record('call.late', { ...facts, from: 'mind', thoughts } as unknown as Json)];
  }
  // Minds are heard in their order, whoever finished first: the log is the same either way.
  if (facts.round !== nextRound(state) || mind !== current.spoken) return [];
  // Where nothing was asked, nobody spoke (X12).
  if ('error' in result && result.budget && facts.usage.prompt === 0)
    return [paused(run, 'budget', result.error, context)];
  const content = { ...facts, mind, iter, ...outcomeOf(result) };
  const failed = 'malformed' in result || 'error' in result;
  return [
    record('mind.spoke', content as unknown as Json),
    ...(failed ? afterFailure(state, run, result, context) : []),
  ];
}

function outcomeOf(result: InputOf<'mind_spoke'>['result']) {
  if ('malformed' in result) return { outcome: 'malformed', thoughts: [], problem: result.malformed };
  if ('error' in result) return { outcome: 'error', thoughts: [], problem: result.error };
  const { thoughts } = result;
  const restart = result.restart ?? requestIn(thoughts);
  return { outcome: thoughts.length > 0 ? 'thoughts' : 'silence', thoughts, ...(restart && { restart }) };
}

function afterFailure(state: Exchange, run: Run, result: Problem, context: ModeContext): readonly NewEvent[] {
  const problem = 'malformed' in result ? result.malformed : result.error;
  if ('error' in result && result.budget) return [paused(run, 'budget', result.error, context)];
  if ('error' in result && result.lasting) {
    return [paused(run, 'refused', `${problem} Retrying will not help.`, context)];
  }
  if (state.failures + 1 < FAILURES) return [];
  const why = `${FAILURES} calls of minds in a row came to nothing, the last because: ${problem}`;
  return [paused(run, 'failures', why, context)];
}

/** The round is over: its thoughts have their places, and what the pool has become may call for something (X1, X6). */
export function decideSettled(state: Exchange, input: InputOf<'round_settled'>, context: ModeContext): Decision {
  const { run, current } = state;
  const { thread } = context;
  const { terms } = termsNow(state);
  const due = run?.run === input.run && run.state === 'running' && current.spoken >= terms.minds.length;
  if (!due || input.round !== nextRound(state) || input.after !== state.pool.members.length) return [];
  const { pool } = state;
  const division = divisionOf(pool, input.assignments);
  const auditDue = state.auditDue || sinceAudit(state, input.round) >= terms.audit_every;
  const signs = signsOf(division, terms.restart, state.disarmed, auditDue);
  const evidence: readonly Evidence[] = [...current.restarts, ...signs.firing];
  const ended = event(thread.id, 'round.ended', {
    round: input.round,
    run: run.run,
    before: current.pool.thoughts.length,
    after: pool.thoughts.length,
    drift: { diversity: input.diversity, novelty: input.novelty, ...proportions(division) },
    ...(signs.faded.length > 0 && { rearmed: signs.faded }),
    ...(auditDue && { audit_due: true }),
    ...(input.problem !== undefined && { problem: input.problem }),
  });
  const events = [...input.assignments.map((each) => event(thread.id, 'thought.clustered', each)), ended];
  const done = { ...run, done: run.done + 1, spent: { ...run.spent, rounds: run.spent.rounds + 1 } };
  const next = auditDue ? [] : afterStep(done, context);
  if (evidence.length === 0 || state.pending) return [...events, ...next];

  const policy = isControl(state) ? 'alert' : terms.policy;
  const restart = event(thread.id, 'restart.detected', {
    restart: state.restarts.length + 1,
    round: input.round,
    evidence: evidence as unknown as Json,
    disarmed: signs.firing.map(({ cluster }) => cluster),
    policy,
  });
  if (policy === 'alert') return [...events, restart, ...next];
  const why =
    policy === 'pause'
      ? 'The pool asks for a restart. Decide: branch, rollback, amend, acknowledge or halt.'
      : 'The pool asks for a restart; it goes on in a branch, as the terms say.';
  return [...events, restart, paused(run, 'restart', why, context)];
}

/** A late audit costs what it cost; the run goes on as if the audit's call had been its own. */
export function runAfter(run: Run, usage: InputOf<'audited'>['usage']): Run {
  return { ...run, spent: spentWith(run.spent, { usage }) };
}

export function recorder({ thread }: ModeContext, blobs: readonly string[] | undefined) {
  return (type: string, content: Json): NewEvent => ({
    thread: thread.id,
    type,
    content,
    ...(blobs && blobs.length > 0 && { meta: { blobs } }),
  });
}
