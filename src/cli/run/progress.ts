import type { Waiting } from '../../core/runs/wait.ts';
import { formatMoney } from '../../core/text/money.ts';
import { costWords } from '../output/figures.ts';
import { counted } from '../output/numbers.ts';
import type { Output } from '../output/output.ts';
import { oneLine, shorten } from '../output/text.ts';
import { clockWithSeconds } from '../output/time.ts';
import { createDrawnLines } from '../terminal/footer.ts';
import { type LiveText, liveLine } from '../terminal/live-text.ts';

const EVERY_MS = 100;
const MOST_WRITERS = 4;

type Unit = 'iteration' | 'round';
type Amounts = { readonly [Name in `${Unit}s` | 'tokens' | 'money' | 'seconds']?: number | undefined };

/** What any run tells of itself: how far it is, what it may use and what it has used. */
interface AnyRun extends Pick<Amounts, `${Unit}s`> {
  readonly done: number;
  readonly budget: Amounts;
  readonly spent: Amounts & { readonly tokens: number; readonly money: number };
  readonly since: string;
  readonly waiting?: Waiting | undefined;
}

/** One line under what minds write: how far, how fast, what it cost and what is left (I3); on a terminal only. */
export function createRunProgress(out: Output, unit: Unit) {
  const { stderr } = process;
  let told: string | undefined;
  const start = performance.now();
  let first: number | undefined;
  const drawn = createDrawnLines(stderr);
  let shown: { readonly run: AnyRun; readonly at: string } | undefined;
  let texts: readonly LiveText[] = [];
  let drawnAt = 0;

  /** `at` says where it is, if that is more than the number. */
  function show(run: AnyRun, at: string) {
    if (out.json) return;
    tellWaiting(run.waiting);
    if (!stderr.isTTY) return;
    first ??= run.done;
    shown = { run, at };
    draw();
  }

  /** Made at each drawing: what it was waited for may have come since. */
  function lineOf({ run, at }: { readonly run: AnyRun; readonly at: string }): string {
    const minutes = (performance.now() - start) / 60_000;
    const made = run.done - (first ?? 0);
    const left = budgetLeft(unit, run, Date.now());
    const parts = [
      isWaiting(run.waiting) ? `${at}: waiting for the model until ${clockWithSeconds(run.waiting.until)}` : at,
      ...(made > 0 ? [`${(made / minutes).toFixed(1)} a minute`] : []),
      costWords(run.spent),
      ...(left ? [`left: ${left}`] : []),
    ];
    return `${parts.join(' · ')} (Ctrl-C stops)`;
  }

  /** The end of what models are writing stands above the line (M12). */
  function setTexts(next: readonly LiveText[]) {
    texts = next;
    if (drawn.isDrawn() && performance.now() - drawnAt >= EVERY_MS) draw();
  }

  function draw() {
    const width = drawn.width();
    const writers = texts.slice(-MOST_WRITERS).map((text) => liveLine(text, out, width));
    drawn.draw([...writers, ...(shown ? [shorten(lineOf(shown), width)] : [])]);
    drawnAt = performance.now();
  }

  /** The reason stands above the line, once for as long as it stays the same. */
  function tellWaiting(waiting: Waiting | undefined) {
    if (waiting && waiting.why !== told) {
      drawn.clear();
      out.note(waitingLine(waiting));
    }
    told = waiting?.why;
  }

  return { show, setTexts, clear: drawn.clear, isShown: stderr.isTTY === true && !out.json };
}

/** The model is not asked again yet. */
export function isWaiting(waiting: Waiting | undefined): waiting is Waiting {
  return waiting !== undefined && Date.parse(waiting.until) > Date.now();
}

/** Until when a run waits for its model, and why. */
export function waitingLine({ until, why }: Pick<Waiting, 'until' | 'why'>): string {
  return `Waiting for the model until ${clockWithSeconds(until)}: ${oneLine(why)}`;
}

/** What is left of a run's budget, each kind of it. */
export function budgetLeft(unit: Unit, run: AnyRun, now: number): string {
  const { budget, spent, since, done } = run;
  const [most, allowed] = [run[`${unit}s`], budget[`${unit}s`]];
  const left = [
    most !== undefined && counted(Math.max(0, most - done), unit),
    allowed !== undefined && counted(Math.max(0, allowed - (spent[`${unit}s`] ?? 0)), unit),
    budget.tokens !== undefined && counted(Math.max(0, budget.tokens - spent.tokens), 'token'),
    budget.money !== undefined && formatMoney(budget.money - spent.money),
    budget.seconds !== undefined && `${Math.max(0, Math.ceil(budget.seconds - (now - Date.parse(since)) / 1000))} s`,
  ].filter(Boolean);
  return left.join(', ');
}
