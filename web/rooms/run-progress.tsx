import type { ModelWait } from '../../src/core/runs/wait.ts';
import { formatMoney } from '../../src/core/text/money.ts';
import { useStore } from '../data/store.ts';
import { formatNumber } from '../ui/format-number.ts';
import { clock } from '../ui/time.tsx';
import { ModelWaitLine } from './model-wait.tsx';

interface RunProgressProps {
  readonly run: {
    readonly state: string;
    readonly since: string;
    readonly spent: { readonly tokens: number; readonly money: number };
    readonly budget: { readonly tokens?: number | undefined; readonly money?: number | undefined };
    readonly waiting?: ModelWait | undefined;
  };
  /** The number of iterations or rounds so far, for the pace. */
  readonly steps: number;
  /** Text before and after the figures that every run has. */
  readonly before: readonly (string | false)[];
  readonly after: readonly (string | false)[];
}

/** A run's progress, pace and usage. */
export function RunProgress({ run, steps, before, after }: RunProgressProps) {
  const now = useStore(clock);
  const { spent, budget } = run;
  const minutes = (Math.max(now, Date.now()) - Date.parse(run.since)) / 60_000;
  const rate = steps / Math.max(minutes, 1 / 60);
  const isRunning = run.state === 'running';
  const parts = [
    ...before,
    isRunning && steps > 1 && `${rate < 10 ? rate.toFixed(1) : Math.round(rate)} a minute`,
    spent.tokens > 0 && `${formatNumber(spent.tokens)}${limitSuffix(budget.tokens, formatNumber)} tokens`,
    spent.money > 0 && `${formatMoney(spent.money)}${limitSuffix(budget.money, formatMoney)}`,
    ...after,
  ];
  return (
    <>
      {isRunning && <ModelWaitLine waiting={run.waiting} />}
      <p className="soft progress">{parts.filter(Boolean).join(' · ')}</p>
    </>
  );
}

function limitSuffix(limit: number | undefined, format: (amount: number) => string): string {
  return limit === undefined ? '' : ` of ${format(limit)}`;
}
