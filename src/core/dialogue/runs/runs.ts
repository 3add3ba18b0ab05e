import type { Job } from '../../decider.ts';
import type { Json, NewEvent } from '../../events/event.ts';
import type { ModeContext } from '../../mode.ts';
import { type Refusal, refuse } from '../../refusal.ts';
import { waitEvent } from '../../runs/wait.ts';
import { formatMoney } from '../../text/money.ts';
import type { InputOf, RunOptions } from '../commands.ts';
import { spending } from '../evolve.ts';
import { counted, type Dialogue, type IterationContent, iterOf, type Run, type Turn } from '../state.ts';

const SILENCES = 3;
const FAILURES = 3;
const MORE = 'Resume it for as much again, or accept a draft.';
/** Of a run that was given neither a number nor a budget; it ends earlier at a signal. */
const ITERATIONS = 20;

/** What a running mind asks of the engine: its next iteration, and clusters for what it thought. */
export function jobsOf(state: Dialogue): readonly Job[] {
  const jobs: Job[] = [];
  const { open, run, pool, clustered } = state;
  if (open && run?.state === 'running' && run.turn === open.turn && !state.held) {
    const input = { turn: open.turn, iter: iterOf(state) + 1, run: run.run };
    const key = `iterate-${input.turn}-${input.iter}-${input.run}-${run.resumed}-${state.holds}`;
    jobs.push({ key, kind: 'mind.iterate', input, asked: run.asked });
  }
  // By where it begins, not where it ends: what is thought meanwhile must not call it off.
  if (clustered < pool.thoughts.length) {
    jobs.push({ key: `cluster-${clustered}`, kind: 'mind.cluster', input: {}, ...(run && { asked: run.asked }) });
  }
  return jobs;
}

export function startRun(state: Dialogue, options: RunOptions, context: ModeContext): readonly NewEvent[] | Refusal {
  const { open } = state;
  if (!open) {
    return refuse('idle', 'No message is waiting, and a mind thinks only about one. Send a message first.');
  }
  return startRunOf(state, open.turn, options, context);
}

/** The turn may be one that the same decision opens. */
export function startRunOf(
  state: Dialogue,
  turn: number,
  { iterations, silences: given, budget = state.config.budget }: RunOptions,
  { thread }: ModeContext,
): readonly NewEvent[] | Refusal {
  if (state.run?.state === 'running') {
    return refuse('already_running', 'The mind is thinking already. Pause or stop that run first.');
  }
  const isBare = iterations === undefined && Object.keys(budget).length === 0;
  const most = isBare ? ITERATIONS : iterations;
  // What is accepted by itself comes to that by several signals in a row.
  const untilSignal = isBare && given === undefined && state.config.auto_accept === null;
  return [
    ...endRun(state, 'replaced', thread.id),
    event(thread.id, 'run.started', {
      run: state.runs + 1,
      turn,
      ...(most !== undefined && { iterations: most }),
      silences: given ?? SILENCES,
      ...(untilSignal && { until_signal: true }),
      budget: budget as Json,
    }),
  ];
}

/** A model that cannot answer now is waited for, unless the run's own time is over (D31). */
export function waitOfRun(
  { run, held }: Dialogue,
  input: InputOf<'run_waits'>,
  context: ModeContext,
): readonly NewEvent[] {
  if (run?.run !== input.run || run.state !== 'running' || held) return [];
  const exhausted = exhaustedBudget(run.budget, run.spent, context.now);
  if (!exhausted) return [waitEvent('run.waiting', input, context)];
  const why = `${exhausted} ${input.why} ${MORE}`;
  return [event(context.thread.id, 'run.paused', { run: run.run, reason: 'budget', why })];
}

export function pauseRun({ run }: Dialogue, context: ModeContext): readonly NewEvent[] | Refusal {
  if (run?.state === 'paused') return [];
  if (run?.state !== 'running') return nothingRuns();
  const why = `${context.thread.nameOf(context.actor.id)} asked for it. Resume or stop the run.`;
  return [event(context.thread.id, 'run.paused', { run: run.run, reason: 'asked', why })];
}

export function resumeRun(
  { run, open }: Dialogue,
  budget: Run['budget'] | undefined,
  { thread }: ModeContext,
): readonly NewEvent[] | Refusal {
  if (run?.state === 'running') return [];
  if (run?.state !== 'paused' || run.turn !== open?.turn) return nothingRuns();
  return [event(thread.id, 'run.resumed', { run: run.run, ...(budget && { budget: budget as Json }) })];
}

/** Ends a run that has not ended yet; nothing otherwise. */
export function endRun({ run }: Dialogue, reason: string, thread: string): readonly NewEvent[] {
  if (!run || run.state === 'ended') return [];
  return [event(thread, 'run.ended', { run: run.run, reason })];
}

/** What follows from an iteration of a run: it ends, it pauses, or nothing (D11, D17). */
export function afterIteration(
  state: Dialogue,
  open: Turn,
  run: Run,
  content: IterationContent,
  lasting: boolean,
  { now, thread }: ModeContext,
): readonly NewEvent[] {
  const counts = counted(open.counts, content);
  const { auto_accept } = state.config;
  const end = (reason: string) => event(thread.id, 'run.ended', { run: run.run, reason });
  const pause = (reason: string, why: string) => event(thread.id, 'run.paused', { run: run.run, reason, why });

  if (auto_accept !== null && counts.reply > 0 && counts.quiet >= auto_accept) {
    const auto = { after: auto_accept, set_by: state.autoAcceptBy };
    return [event(thread.id, 'turn.accepted', { turn: open.turn, draft: counts.reply, auto }), end('accepted')];
  }
  if (lasting) return [pause('refused', `${content.problem} Retrying will not help.`)];
  if (counts.failures >= FAILURES) {
    return [
      pause('malformed', `${FAILURES} iterations in a row came to nothing, the last because: ${content.problem}`),
    ];
  }
  const soft = content.draft?.signal === 'soft' && counts.reply > 0;
  if (run.untilSignal && (counts.hard || soft)) return [end('signal')];
  if (run.iterations !== undefined && run.done + 1 >= run.iterations) return [end('done')];
  if (auto_accept === null && counts.silences >= run.silences) return [end('silence')];
  const exhausted = exhaustedBudget(run.budget, spending(run, content, now), now);
  return exhausted ? [pause('budget', `${exhausted} ${MORE}`)] : [];
}

function exhaustedBudget(budget: Run['budget'], spent: Run['spent'], now: string): string | undefined {
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

function nothingRuns(): Refusal {
  return refuse('not_running', 'No run is under way here. Start one with "run".');
}

function event(thread: string, type: string, content: Json): NewEvent {
  return { thread, type, content };
}
