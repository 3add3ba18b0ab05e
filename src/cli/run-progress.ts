import type { Waiting } from '../core/waits.ts';
import { costWords, money } from './models/figures.ts';
import { counted } from './numbers.ts';
import type { Output } from './output.ts';
import { ending, oneLine, shorten } from './text.ts';
import { clockWithSeconds } from './time.ts';

const EVERY_MS = 100;

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
  let line = '';
  let text = '';
  let drawn = 0;
  let drawnAt = 0;

  /** `at` says where it is, if that is more than the number. */
  function show(run: AnyRun, at: string) {
    if (out.json) return;
    tellWaiting(run.waiting);
    if (!stderr.isTTY) return;
    first ??= run.done;
    const minutes = (performance.now() - start) / 60_000;
    const made = run.done - first;
    const left = budgetLeft(unit, run, Date.now());
    const parts = [
      run.waiting ? `${at}: waiting for the model until ${clockWithSeconds(run.waiting.until)}` : at,
      ...(made > 0 ? [`${(made / minutes).toFixed(1)} a minute`] : []),
      costWords(run.spent),
      ...(left ? [`left: ${left}`] : []),
    ];
    line = `${parts.join(' · ')} (Ctrl-C stops)`;
    draw();
  }

  /** The end of what a model is writing stands above the line (M12). */
  function setText(next: string) {
    text = oneLine(next);
    if (drawn > 0 && performance.now() - drawnAt >= EVERY_MS) draw();
  }

  function draw() {
    const width = (stderr.columns || 80) - 1;
    const lines = [...(text === '' ? [] : [out.colors.dim(ending(text, width))]), shorten(line, width)];
    clear();
    stderr.write(lines.join('\n'));
    drawn = lines.length;
    drawnAt = performance.now();
  }

  /** The reason stands above the line, once for as long as it stays the same. */
  function tellWaiting(waiting: Waiting | undefined) {
    if (waiting && waiting.why !== told) {
      clear();
      out.note(waitingLine(waiting));
    }
    told = waiting?.why;
  }

  /** Removes what is drawn. */
  function clear() {
    if (drawn > 0) stderr.write(`\r\x1b[K${'\x1b[1A\r\x1b[K'.repeat(drawn - 1)}`);
    drawn = 0;
  }

  return { show, setText, clear, isShown: stderr.isTTY === true && !out.json };
}

/** Until when a run waits for its model, and why. */
export function waitingLine({ until, why }: Waiting): string {
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
    budget.money !== undefined && `$${money(Math.max(0, budget.money - spent.money))}`,
    budget.seconds !== undefined && `${Math.max(0, Math.ceil(budget.seconds - (now - Date.parse(since)) / 1000))} s`,
  ].filter(Boolean);
  return left.join(', ');
}
