import { formatNumber } from '../text/format-number.ts';
import { formatCost, formatMoney } from '../text/money.ts';
import { pluralize } from '../text/pluralize.ts';
import type { ModelWait } from './schema.ts';
import { isWaiting } from './wait.ts';

export type RunUnit = 'iteration' | 'round';

type Amounts = { readonly [Name in `${RunUnit}s` | 'tokens' | 'money' | 'seconds']?: number | undefined };

/** A run as its status shows it. `iterations` or `rounds` is the number after which it ends. */
export interface RunView extends Pick<Amounts, `${RunUnit}s`> {
  readonly state: string;
  readonly done: number;
  readonly budget: Amounts;
  readonly spent: Amounts & { readonly tokens: number; readonly money: number };
  readonly since: string;
  readonly waiting?: ModelWait | undefined;
}

/** What the page and the terminal say of a run. */
export interface RunDescription {
  /** "3 of 5 rounds". */
  readonly progress: string;
  /** "1,234 tokens, $0.0042". */
  readonly spent: string;
  /** Pace, usage and what is left: "2.5 a minute", "1,234 tokens", "left: 2 rounds, 300 tokens". */
  readonly figures: readonly string[];
  /** Progress and figures for one line; what progress already says is not said again. */
  readonly line: readonly string[];
  /** Present until the model is called again (D31). */
  readonly waiting?: ModelWait;
}

export function describeRun(run: RunView, unit: RunUnit, now: number, currency?: string): RunDescription {
  const { done, waiting } = run;
  const isRunning = run.state === 'running';
  const limit = run[`${unit}s`];
  const pace = isRunning ? describePace(run.spent[`${unit}s`] ?? 0, now - Date.parse(run.since)) : undefined;
  const progress = limit === undefined ? pluralize(done, unit) : `${done} of ${pluralize(limit, unit)}`;
  const steps = run.state === 'ended' ? Number.POSITIVE_INFINITY : remainingSteps(run, unit);
  const stepsLeft = steps < Number.POSITIVE_INFINITY ? [pluralize(Math.max(0, steps), unit)] : [];
  const amountsLeft = run.state === 'ended' ? [] : describeRemaining(run, now, currency);
  const spent = formatCost(run.spent, currency);
  const figures = (left: readonly string[]) =>
    [pace ?? [], spent, left.length > 0 ? `left: ${left.join(', ')}` : []].flat();
  const isSaid = limit !== undefined && steps === limit - done;
  return {
    progress,
    spent,
    figures: figures([...stepsLeft, ...amountsLeft]),
    line: [progress, ...figures(isSaid ? amountsLeft : [...stepsLeft, ...amountsLeft])],
    ...(isRunning && waiting && isWaiting(waiting, now) && { waiting }),
  };
}

function describePace(steps: number, ms: number): string | undefined {
  if (steps === 0) return undefined;
  const rate = steps / Math.max(ms / 60_000, 1 / 60);
  // A run that waits for its model for long has no pace worth telling.
  if (rate < 0.05) return undefined;
  return `${rate < 10 ? rate.toFixed(1) : Math.round(rate)} a minute`;
}

/** The number of steps until a run ends or its budget of them is used up. */
function remainingSteps({ budget, spent, done, ...run }: RunView, unit: RunUnit): number {
  return Math.min(
    (run[`${unit}s`] ?? Number.POSITIVE_INFINITY) - done,
    (budget[`${unit}s`] ?? Number.POSITIVE_INFINITY) - (spent[`${unit}s`] ?? 0),
  );
}

/** What else is left until a budget is used up. */
function describeRemaining(
  { state, budget, spent, since }: RunView,
  now: number,
  currency: string | undefined,
): string[] {
  const { tokens, money, seconds } = budget;
  return [
    tokens === undefined ? [] : `${formatNumber(Math.max(0, tokens - spent.tokens))} tokens`,
    money === undefined ? [] : formatMoney(money - spent.money, currency),
    // The time of a paused run starts again when it is resumed.
    seconds === undefined || state !== 'running'
      ? []
      : `${formatNumber(Math.max(0, Math.ceil(seconds - (now - Date.parse(since)) / 1000)))} s`,
  ].flat();
}
