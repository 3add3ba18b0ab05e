import type { Event } from '../events/event.ts';
import type { ModelUse, ModelWait } from './schema.ts';
import { clampStartTime } from './start-time.ts';
import { extendWait } from './wait.ts';

/*
 * A run works in steps: the iterations of a mind, the rounds of an exchange. It knows its limits, its usage and why it
 * stopped, but not what a step does.
 */

export interface RunBudget {
  readonly tokens?: number | undefined;
  readonly money?: number | undefined;
  readonly seconds?: number | undefined;
}

export interface Run<Budget extends RunBudget = RunBudget, Reason extends string = string> {
  readonly run: number;
  readonly state: 'running' | 'paused' | 'ended';
  readonly by: string;
  /** The run ends after this many steps. */
  readonly limit?: number;
  readonly budget: Budget;
  /** Steps so far. */
  readonly done: number;
  /** Usage since the run was started or last resumed. */
  readonly spent: RunUsage;
  readonly resumed: number;
  /** The event in which a human last started or resumed the run. */
  readonly rootEvent: string;
  /** Present while the run waits for its model (D31). */
  readonly waiting?: ModelWait;
  readonly reason?: Reason;
  /** The reason as a sentence. */
  readonly why?: string;
}

export interface RunUsage {
  readonly since: string;
  readonly steps: number;
  readonly tokens: number;
  readonly money: number;
}

type Envelope = Pick<Event, 'id' | 'ts' | 'from' | 'meta'>;

export function newRun<Budget extends RunBudget>(
  { id, ts, from }: Envelope,
  { run, budget }: { readonly run: number; readonly budget: Budget },
  limit: number | undefined,
): Run<Budget, never> {
  return {
    ...{ run, state: 'running', by: from, budget, done: 0, spent: unspent(ts), resumed: 0, rootEvent: id },
    ...(limit !== undefined && { limit }),
  };
}

/** Updates the state's run if it has this number; otherwise returns the state unchanged. */
export function updateRun<R extends Run, State extends { readonly run?: R }>(
  state: State,
  { run }: { readonly run: number },
  update: (run: R) => R,
): State {
  return state.run && state.run.run === run ? { ...state, run: update(state.run) } : state;
}

export function waitInRun<R extends Run>(run: R, ts: string, wait: Pick<ModelWait, 'why' | 'until'>): R {
  return { ...run, waiting: extendWait(run.waiting, ts, wait) };
}

export function pauseRun<R extends Run>(run: R, { reason, why }: Required<Pick<R, 'reason' | 'why'>>): R {
  return { ...withoutWait(run), state: 'paused', reason, why };
}

export function resumeRun<R extends Run>(run: R, { id, ts, meta }: Envelope, budget: R['budget'] | undefined): R {
  const { reason: _, why: __, ...rest } = run;
  return {
    ...(rest as R),
    state: 'running',
    budget: budget ?? run.budget,
    spent: unspent(ts),
    resumed: run.resumed + 1,
    rootEvent: meta.by === 'human' ? id : run.rootEvent,
  };
}

export function endRun<R extends Run>(run: R, { reason }: Required<Pick<R, 'reason'>>): R {
  const { why: _, ...rest } = withoutWait(run);
  return { ...(rest as R), state: 'ended', reason };
}

/** Counts one more step. */
export function countStep<R extends Run>(run: R, ts: string): R {
  const { spent } = run;
  return {
    ...run,
    done: run.done + 1,
    spent: { ...spent, since: clampStartTime(spent.since, ts), steps: spent.steps + 1 },
  };
}

/** Counts a step that consisted of one call. This is the most frequent event, so it makes only one copy. */
export function countCall<R extends Run>(run: R, ts: string, usage: ModelUse): R {
  const { since, steps, tokens, money } = run.spent;
  return {
    ...withoutWait(run),
    done: run.done + 1,
    spent: {
      since: clampStartTime(since, ts),
      steps: steps + 1,
      tokens: tokens + usage.prompt + usage.generated,
      money: money + (usage.cost ?? 0),
    },
  };
}

/** Adds the usage of a call, successful or not. The model has answered, so the wait is over. */
export function chargeRun<R extends Run>(run: R, usage: ModelUse): R {
  const { spent } = run;
  const tokens = spent.tokens + usage.prompt + usage.generated;
  return { ...withoutWait(run), spent: { ...spent, tokens, money: spent.money + (usage.cost ?? 0) } };
}

function withoutWait<R extends Run>(run: R): R {
  if (!run.waiting) return run;
  const { waiting: _, ...rest } = run;
  return rest as R;
}

function unspent(since: string): RunUsage {
  return { since, steps: 0, tokens: 0, money: 0 };
}
