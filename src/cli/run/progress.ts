import type { ModelWait } from '../../core/runs/wait.ts';
import { formatMoney } from '../../core/text/money.ts';
import { pluralize } from '../../core/text/pluralize.ts';
import { formatCost } from '../output/figures.ts';
import type { TerminalOutput } from '../output/output.ts';
import { oneLine, shorten } from '../output/text.ts';
import { formatClockSeconds } from '../output/time.ts';
import { createFooter } from '../terminal/footer.ts';
import { type LiveText, liveLine } from '../terminal/live-text.ts';

const REDRAW_MS = 100;
const MAX_WRITERS = 4;

type RunUnit = 'iteration' | 'round';
type RunAmounts = { readonly [Name in `${RunUnit}s` | 'tokens' | 'money' | 'seconds']?: number | undefined };

/** The state every run reports: its progress, its budget and its usage. */
interface RunProgressState extends Pick<RunAmounts, `${RunUnit}s`> {
  readonly done: number;
  readonly budget: RunAmounts;
  readonly spent: RunAmounts & { readonly tokens: number; readonly money: number };
  readonly since: string;
  readonly waiting?: ModelWait | undefined;
}

/** One line below the minds' text: progress, speed, cost and remaining budget (I3). Only on a terminal. */
export function createRunProgress(out: TerminalOutput, unit: RunUnit) {
  const { stderr } = process;
  let lastWaitReason: string | undefined;
  const startedAt = performance.now();
  let firstDone: number | undefined;
  const footer = createFooter(stderr);
  let latest: { readonly run: RunProgressState; readonly at: string } | undefined;
  let texts: readonly LiveText[] = [];
  let drawnAt = 0;

  /** `at` describes the position, if there is more to say than the number. */
  function show(run: RunProgressState, at: string) {
    if (out.json) return;
    noteWaiting(run.waiting);
    if (!stderr.isTTY) return;
    firstDone ??= run.done;
    latest = { run, at };
    draw();
  }

  /** Recomputed on every redraw, because a wait may have ended since. */
  function lineOf({ run, at }: { readonly run: RunProgressState; readonly at: string }): string {
    const minutes = (performance.now() - startedAt) / 60_000;
    const completed = run.done - (firstDone ?? 0);
    const remaining = formatBudgetLeft(unit, run, Date.now());
    const parts = [
      isWaiting(run.waiting) ? `${at}: waiting for the model until ${formatClockSeconds(run.waiting.until)}` : at,
      ...(completed > 0 ? [`${(completed / minutes).toFixed(1)} a minute`] : []),
      formatCost(run.spent),
      ...(remaining ? [`left: ${remaining}`] : []),
    ];
    return `${parts.join(' · ')} (Ctrl-C stops)`;
  }

  /** Shows the end of each text that models are writing above the line (M12). */
  function setTexts(next: readonly LiveText[]) {
    texts = next;
    if (footer.isDrawn() && performance.now() - drawnAt >= REDRAW_MS) draw();
  }

  function draw() {
    const width = footer.width();
    const writers = texts.slice(-MAX_WRITERS).map((text) => liveLine(text, out, width));
    footer.draw([...writers, ...(latest ? [shorten(lineOf(latest), width)] : [])]);
    drawnAt = performance.now();
  }

  /** Prints the reason for a wait above the line, once until it changes. */
  function noteWaiting(waiting: ModelWait | undefined) {
    if (waiting && waiting.why !== lastWaitReason) {
      footer.clear();
      out.note(waitingLine(waiting));
    }
    lastWaitReason = waiting?.why;
  }

  return { show, setTexts, clear: footer.clear, isShown: stderr.isTTY === true && !out.json };
}

/** Whether the run is still waiting before it calls the model again. */
export function isWaiting(waiting: ModelWait | undefined): waiting is ModelWait {
  return waiting !== undefined && Date.parse(waiting.until) > Date.now();
}

/** Says until when a run waits for its model, and why. */
export function waitingLine({ until, why }: Pick<ModelWait, 'until' | 'why'>): string {
  return `Waiting for the model until ${formatClockSeconds(until)}: ${oneLine(why)}`;
}

/** The remaining budget of a run, for each kind of limit. */
export function formatBudgetLeft(unit: RunUnit, run: RunProgressState, now: number): string {
  const { budget, spent, since, done } = run;
  const [maxUnits, budgetUnits] = [run[`${unit}s`], budget[`${unit}s`]];
  const remaining = [
    maxUnits !== undefined && pluralize(Math.max(0, maxUnits - done), unit),
    budgetUnits !== undefined && pluralize(Math.max(0, budgetUnits - (spent[`${unit}s`] ?? 0)), unit),
    budget.tokens !== undefined && pluralize(Math.max(0, budget.tokens - spent.tokens), 'token'),
    budget.money !== undefined && formatMoney(budget.money - spent.money),
    budget.seconds !== undefined && `${Math.max(0, Math.ceil(budget.seconds - (now - Date.parse(since)) / 1000))} s`,
  ].filter(Boolean);
  return remaining.join(', ');
}
