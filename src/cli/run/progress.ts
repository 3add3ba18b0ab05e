import { describeRun, type RunUnit, type RunView } from '../../core/runs/describe.ts';
import type { ModelWait } from '../../core/runs/schema.ts';
import type { TerminalOutput } from '../output/output.ts';
import { oneLine, shorten } from '../output/text.ts';
import { formatClockSeconds } from '../output/time.ts';
import { createFooter } from '../terminal/footer.ts';
import { type LiveText, liveLine } from '../terminal/live-text.ts';

const REDRAW_MS = 100;
const MAX_WRITERS = 4;

/** One line below the minds' text: progress, speed, cost and remaining budget (I3). Only on a terminal. */
export function createRunProgress(out: TerminalOutput, unit: RunUnit) {
  const { stderr } = process;
  let lastWaitReason: string | undefined;
  const footer = createFooter(stderr);
  let latest: { readonly run: RunView; readonly at: string } | undefined;
  let texts: readonly LiveText[] = [];
  let drawnAt = 0;

  /** `at` describes the position, if there is more to say than the number. */
  function show(run: RunView, at: string) {
    if (out.json) return;
    noteWaiting(run.waiting);
    if (!stderr.isTTY) return;
    latest = { run, at };
    draw();
  }

  /** Recomputed on every redraw, because a wait may have ended since. */
  function lineOf({ run, at }: { readonly run: RunView; readonly at: string }): string {
    const { waiting, figures } = describeRun(run, unit, Date.now(), out.currency);
    const position = waiting ? `${at}: waiting for the model until ${formatClockSeconds(waiting.until)}` : at;
    return `${[position, ...figures].join(' · ')} (Ctrl-C stops)`;
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

/** Says until when a run waits for its model, and why. */
export function waitingLine({ until, why }: Pick<ModelWait, 'until' | 'why'>): string {
  return `Waiting for the model until ${formatClockSeconds(until)}: ${oneLine(why)}`;
}
