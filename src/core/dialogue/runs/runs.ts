import type { Job } from '../../decider.ts';
import type { ContentOf } from '../../events/define.ts';
import type { NewEvent } from '../../events/event.ts';
import type { ModeContext } from '../../mode.ts';
import { type Refusal, refuse } from '../../refusal.ts';
import { waitEvent } from '../../runs/wait.ts';
import { formatMoney } from '../../text/money.ts';
import type { DialogueInputOf, DialogueRunOptions } from '../commands.ts';
import { RunEnded, RunPaused, RunResumed, RunStarted, RunWaiting, TurnAccepted } from '../events.ts';
import { addUsage } from '../evolve.ts';
import {
  countIteration,
  type Dialogue,
  type DialogueRun,
  type IterationContent,
  iterationCount,
  type Turn,
} from '../state.ts';

type EndReason = ContentOf<typeof RunEnded>['reason'];
type PauseReason = ContentOf<typeof RunPaused>['reason'];

const DEFAULT_SILENCES = 3;
const MAX_FAILURES = 3;
const RESUME_HINT = 'Resume it for as much again, or accept a draft.';
/** Of a run that was given neither a number nor a budget; it ends earlier at a signal. */
const DEFAULT_ITERATIONS = 20;

/** What a running mind asks of the engine: its next iteration, and clusters for what it thought. */
export function jobsOf(state: Dialogue): readonly Job[] {
  const jobs: Job[] = [];
  const { open, run, pool, clustered } = state;
  if (open && run?.state === 'running' && run.turn === open.turn && !state.held) {
    const input = { turn: open.turn, iter: iterationCount(state) + 1, run: run.run };
    const key = `iterate-${input.turn}-${input.iter}-${input.run}-${run.resumed}-${state.holds}`;
    jobs.push({ key, kind: 'mind.iterate', input, rootEvent: run.rootEvent });
  }
  // By where it begins, not where it ends: what is thought meanwhile must not call it off.
  if (clustered < pool.thoughts.length) {
    jobs.push({
      key: `cluster-${clustered}`,
      kind: 'mind.cluster',
      input: {},
      ...(run && { rootEvent: run.rootEvent }),
    });
  }
  return jobs;
}

export function startRun(
  state: Dialogue,
  options: DialogueRunOptions,
  context: ModeContext,
): readonly NewEvent[] | Refusal {
  const { open } = state;
  if (!open) {
    return refuse('idle', 'No message is waiting, and a mind thinks only about one. Send a message first.');
  }
  return startRunForTurn(state, open.turn, options, context);
}

/** The turn may be one that the same decision opens. */
export function startRunForTurn(
  state: Dialogue,
  turn: number,
  { iterations, silences: silencesOption, budget = state.config.budget }: DialogueRunOptions,
  { thread }: ModeContext,
): readonly NewEvent[] | Refusal {
  if (state.run?.state === 'running') {
    return refuse('already_running', 'The mind is thinking already. Pause or stop that run first.');
  }
  const isUnlimited = iterations === undefined && Object.keys(budget).length === 0;
  const maxIterations = isUnlimited ? DEFAULT_ITERATIONS : iterations;
  // What is accepted by itself comes to that by several signals in a row.
  const untilSignal = isUnlimited && silencesOption === undefined && state.config.auto_accept === null;
  return [
    ...endRun(state, 'replaced', thread.id),
    RunStarted.of(thread.id, {
      run: state.runs + 1,
      turn,
      iterations: maxIterations,
      silences: silencesOption ?? DEFAULT_SILENCES,
      until_signal: untilSignal || undefined,
      budget,
    }),
  ];
}

/** A model that cannot answer now is waited for, unless the run's own time is over (D31). */
export function decideRunWait(
  { run, held }: Dialogue,
  input: DialogueInputOf<'run_waits'>,
  context: ModeContext,
): readonly NewEvent[] {
  if (run?.run !== input.run || run.state !== 'running' || held) return [];
  const exhaustion = describeExhaustion(run.budget, run.spent, context.now);
  if (!exhaustion) return [waitEvent(RunWaiting, input, context)];
  const why = `${exhaustion} ${input.why} ${RESUME_HINT}`;
  return [RunPaused.of(context.thread.id, { run: run.run, reason: 'budget', why })];
}

export function pauseRun({ run }: Dialogue, context: ModeContext): readonly NewEvent[] | Refusal {
  if (run?.state === 'paused') return [];
  if (run?.state !== 'running') return refuseNotRunning();
  const why = `${context.thread.nameOf(context.actor.id)} asked for it. Resume or stop the run.`;
  return [RunPaused.of(context.thread.id, { run: run.run, reason: 'asked', why })];
}

export function resumeRun(
  { run, open }: Dialogue,
  budget: DialogueRun['budget'] | undefined,
  { thread }: ModeContext,
): readonly NewEvent[] | Refusal {
  if (run?.state === 'running') return [];
  if (run?.state !== 'paused' || run.turn !== open?.turn) return refuseNotRunning();
  return [RunResumed.of(thread.id, { run: run.run, budget })];
}

/** Ends a run that has not ended yet; nothing otherwise. */
export function endRun({ run }: Dialogue, reason: EndReason, thread: string): readonly NewEvent[] {
  if (!run || run.state === 'ended') return [];
  return [RunEnded.of(thread, { run: run.run, reason })];
}

/** What follows from an iteration of a run: it ends, it pauses, or nothing (D11, D17). */
export function eventsAfterIteration(
  state: Dialogue,
  open: Turn,
  run: DialogueRun,
  content: IterationContent,
  isPermanent: boolean,
  { now, thread }: ModeContext,
): readonly NewEvent[] {
  const counts = countIteration(open.counts, content);
  const { auto_accept } = state.config;
  const end = (reason: EndReason) => RunEnded.of(thread.id, { run: run.run, reason });
  const pause = (reason: PauseReason, why: string) => RunPaused.of(thread.id, { run: run.run, reason, why });

  if (auto_accept !== null && counts.reply > 0 && counts.quiet >= auto_accept) {
    const auto = { after: auto_accept, set_by: state.autoAcceptBy };
    return [TurnAccepted.of(thread.id, { turn: open.turn, draft: counts.reply, auto }), end('accepted')];
  }
  if (isPermanent) return [pause('refused', `${content.problem} Retrying will not help.`)];
  if (counts.failures >= MAX_FAILURES) {
    return [
      pause('malformed', `${MAX_FAILURES} iterations in a row came to nothing, the last because: ${content.problem}`),
    ];
  }
  const isSoft = content.draft?.signal === 'soft' && counts.reply > 0;
  if (run.untilSignal && (counts.hard || isSoft)) return [end('signal')];
  if (run.iterations !== undefined && run.done + 1 >= run.iterations) return [end('done')];
  if (auto_accept === null && counts.silences >= run.silences) return [end('silence')];
  const exhaustion = describeExhaustion(run.budget, addUsage(run, content, now), now);
  return exhaustion ? [pause('budget', `${exhaustion} ${RESUME_HINT}`)] : [];
}

function describeExhaustion(
  budget: DialogueRun['budget'],
  spent: DialogueRun['spent'],
  now: string,
): string | undefined {
  const { iterations, tokens, money, seconds } = budget;
  if (iterations !== undefined && spent.iterations >= iterations)
    return `Its budget of ${iterations} iterations is used up.`;
  if (tokens !== undefined && spent.tokens >= tokens) {
    return `Its budget of ${tokens} tokens is used up (${spent.tokens} spent).`;
  }
  if (money !== undefined && spent.money >= money) {
    return `Its budget of ${formatMoney(money)} is used up (${formatMoney(spent.money)} spent).`;
  }
  const elapsed = (Date.parse(now) - Date.parse(spent.since)) / 1000;
  if (seconds !== undefined && elapsed >= seconds) return `Its ${seconds} seconds are over.`;
  return undefined;
}

function refuseNotRunning(): Refusal {
  return refuse('not_running', 'No run is under way here. Start one with "run".');
}
