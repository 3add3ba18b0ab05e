import type { z } from 'zod';
import type { EventDefinition } from '../events/define.ts';
import type { NewEvent } from '../events/event.ts';
import type { ModeContext } from '../mode.ts';
import { type Refusal, refuse } from '../refusal.ts';
import { formatMoney } from '../text/money.ts';
import type { Run } from './run.ts';
import type { waitContentSchema, waitInputSchema } from './schema.ts';
import { waitEvent } from './wait.ts';

type Definition<Content> = EventDefinition<string, z.ZodType<Content>>;

/** A mode's wording for its runs, and the events that record them. */
interface RunTerms<Budget, PauseReason extends string, EndReason extends string> {
  readonly paused: Definition<{ run: number; reason: PauseReason; why: string }>;
  readonly resumed: Definition<{ run: number; budget?: Budget }>;
  readonly ended: Definition<{ run: number; reason: EndReason }>;
  readonly waiting: EventDefinition<string, typeof waitContentSchema>;
  /** The step limit in a budget. */
  readonly stepBudget: (budget: Budget) => number | undefined;
  readonly steps: 'iterations' | 'rounds';
  /** The subject of sentences about stopping and resuming: "the run", "the rounds". */
  readonly subject: string;
  /** What to do when a budget is used up. */
  readonly resumeHint: string;
  readonly notRunning: string;
}

/** Builds the decisions that pause, end and wait, for every mode that works in steps. */
export function createRunDecisions<Budget extends Run['budget'], PauseReason extends string, EndReason extends string>(
  terms: RunTerms<Budget, PauseReason | 'asked' | 'budget', EndReason>,
) {
  const { paused, resumed, ended, waiting, subject, resumeHint } = terms;
  type ModeRun = Run<Budget>;

  function pausedEvent({ run }: ModeRun, reason: PauseReason | 'asked' | 'budget', why: string, thread: string) {
    return paused.of(thread, { run, reason, why });
  }

  function pause(run: ModeRun | undefined, { thread, actor }: ModeContext): readonly NewEvent[] | Refusal {
    if (run?.state === 'paused') return [];
    if (run?.state !== 'running') return refuseNotRunning();
    const why = `${thread.nameOf(actor.id)} paused ${subject}. Resume or stop ${subject}.`;
    return [pausedEvent(run, 'asked', why, thread.id)];
  }

  function resume({ run }: ModeRun, budget: Budget | undefined, { thread }: ModeContext): readonly NewEvent[] {
    return [resumed.of(thread.id, { run, budget })];
  }

  /** Ends a run that has not ended yet; otherwise returns no events. */
  function end(run: ModeRun | undefined, reason: EndReason, thread: string): readonly NewEvent[] {
    if (!run || run.state === 'ended') return [];
    return [ended.of(thread, { run: run.run, reason })];
  }

  /** A run waits for a model that cannot answer now, unless the run's own time is over (D31). */
  function wait(
    run: ModeRun,
    input: z.infer<typeof waitInputSchema>,
    context: ModeContext,
    extra: { readonly audit?: number } = {},
  ): readonly NewEvent[] {
    const exhaustion = describeExhaustion(run, context);
    if (!exhaustion) return [waitEvent(waiting, input, context, extra)];
    return [pausedEvent(run, 'budget', `${exhaustion} ${input.why} ${resumeHint}`, context.thread.id)];
  }

  /** Pauses the run if a budget is used up. */
  function pauseIfExhausted(run: ModeRun, context: ModeContext): readonly NewEvent[] {
    const exhaustion = describeExhaustion(run, context);
    return exhaustion ? [pausedEvent(run, 'budget', `${exhaustion} ${resumeHint}`, context.thread.id)] : [];
  }

  function describeExhaustion({ budget, spent }: ModeRun, { now, currency }: ModeContext): string | undefined {
    const { tokens, money, seconds } = budget;
    const show = (amount: number) => formatMoney(amount, currency?.());
    const stepBudget = terms.stepBudget(budget);
    if (stepBudget !== undefined && spent.steps >= stepBudget)
      return `The budget of ${stepBudget} ${terms.steps} is used up.`;
    if (tokens !== undefined && spent.tokens >= tokens)
      return `The budget of ${tokens} tokens is used up (${spent.tokens} spent).`;
    if (money !== undefined && spent.money >= money)
      return `The budget of ${show(money)} is used up (${show(spent.money)} spent).`;
    if (seconds === undefined) return undefined;
    const elapsed = (Date.parse(now) - Date.parse(spent.since)) / 1000;
    return elapsed >= seconds ? `The time limit of ${seconds} seconds is reached.` : undefined;
  }

  function refuseNotRunning(): Refusal {
    return refuse('not_running', terms.notRunning);
  }

  return { pausedEvent, pause, resume, end, wait, pauseIfExhausted, refuseNotRunning };
}
