import type { ContentOf } from '../../events/define.ts';
import type { NewEvent } from '../../events/event.ts';
import type { ModeContext } from '../../mode.ts';
import { type Refusal, refuse } from '../../refusal.ts';
import { createRunDecisions } from '../../runs/decide.ts';
import { countCall } from '../../runs/run.ts';
import type { DialogueInputOf, DialogueRunOptions } from '../commands.ts';
import type { DialogueBudget } from '../config.ts';
import { RunEnded, RunPaused, RunResumed, RunStarted, RunWaiting, TurnAccepted } from '../events.ts';
import { countIteration, type Dialogue, type DialogueRun, type IterationContent, type Turn } from '../state.ts';

type EndReason = ContentOf<typeof RunEnded>['reason'];
type PauseReason = ContentOf<typeof RunPaused>['reason'];

const DEFAULT_SILENCES = 3;
const MAX_FAILURES = 3;
/** The limit of a run started with neither a number nor a budget; a signal ends it earlier. */
const DEFAULT_ITERATIONS = 20;

const runs = createRunDecisions({
  ...{ paused: RunPaused, resumed: RunResumed, ended: RunEnded, waiting: RunWaiting },
  stepBudget: ({ iterations }: DialogueBudget) => iterations,
  steps: 'iterations',
  subject: 'the run',
  resumeHint: 'Resume it with the same budget again, or accept a draft.',
  notRunning: 'No run is active. Start one with "run".',
});

export function startRun(
  state: Dialogue,
  options: DialogueRunOptions,
  context: ModeContext,
): readonly NewEvent[] | Refusal {
  const { open } = state;
  if (!open) {
    return refuse('idle', 'No message is waiting for an answer. Send one first.');
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
    return refuse('already_running', 'The mind is already thinking. Pause or stop that run first.');
  }
  const isUnlimited = iterations === undefined && Object.keys(budget).length === 0;
  const maxIterations = isUnlimited ? DEFAULT_ITERATIONS : iterations;
  // Auto-accept needs several signals in a row, so the first signal must not end the run.
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

export function decideRunWait(
  { run, held }: Dialogue,
  input: DialogueInputOf<'report_wait'>,
  context: ModeContext,
): readonly NewEvent[] {
  return run?.run === input.run && run.state === 'running' && !held ? runs.wait(run, input, context) : [];
}

export function pauseRun({ run }: Dialogue, context: ModeContext): readonly NewEvent[] | Refusal {
  return runs.pause(run, context);
}

export function resumeRun(
  { run, open }: Dialogue,
  budget: DialogueBudget | undefined,
  context: ModeContext,
): readonly NewEvent[] | Refusal {
  if (run?.state === 'running') return [];
  if (run?.state !== 'paused' || run.turn !== open?.turn) return runs.refuseNotRunning();
  return runs.resume(run, budget, context);
}

export function endRun({ run }: Dialogue, reason: EndReason, thread: string): readonly NewEvent[] {
  return runs.end(run, reason, thread);
}

/** The events that follow an iteration: the run ends, it pauses, or nothing happens (D11, D17). */
export function eventsAfterIteration(
  state: Dialogue,
  open: Turn,
  run: DialogueRun,
  content: IterationContent,
  isPermanent: boolean,
  context: ModeContext,
): readonly NewEvent[] {
  const { now, thread } = context;
  const counts = countIteration(open.counts, content);
  const { auto_accept } = state.config;
  const end = (reason: EndReason) => RunEnded.of(thread.id, { run: run.run, reason });
  const pause = (reason: PauseReason, why: string) => runs.pausedEvent(run, reason, why, thread.id);

  if (auto_accept !== null && counts.reply > 0 && counts.quiet >= auto_accept) {
    const auto = { after: auto_accept, set_by: state.autoAcceptBy };
    return [TurnAccepted.of(thread.id, { turn: open.turn, draft: counts.reply, auto }), end('accepted')];
  }
  if (isPermanent) return [pause('refused', `${content.problem} Retrying will not help.`)];
  if (counts.failures >= MAX_FAILURES) {
    return [pause('malformed', `${MAX_FAILURES} iterations in a row failed. The last error: ${content.problem}`)];
  }
  const isSoft = content.draft?.signal === 'soft' && counts.reply > 0;
  if (run.untilSignal && (counts.hard || isSoft)) return [end('signal')];
  if (run.limit !== undefined && run.done + 1 >= run.limit) return [end('done')];
  if (auto_accept === null && counts.silences >= run.silences) return [end('silence')];
  return runs.pauseIfExhausted(countCall(run, now, content.usage), context);
}
