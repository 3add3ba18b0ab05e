import { Failure } from '../failure.ts';
import type { TerminalOutput } from './output.ts';
import { formatDuration } from './time.ts';

const SHOW_AFTER_MS = 1_000;
const REDRAW_MS = 200;

/** One line that says how far a long piece of work is, on a terminal only, once it has taken a second (I3). */
export function createProgress({ json }: TerminalOutput, verb: string, unit: string) {
  const { stderr } = process;
  let startedAt: number | undefined;
  let drawnAt = 0;

  function update(done: number, total: number) {
    const now = performance.now();
    startedAt ??= now;
    if (json || !stderr.isTTY || now - startedAt < SHOW_AFTER_MS || now - drawnAt < REDRAW_MS) return;
    drawnAt = now;
    const seconds = (now - startedAt) / 1000;
    const rate = done / seconds;
    const percent = total > 0 ? Math.min(100, Math.floor((done / total) * 100)) : 0;
    const progressText =
      unit === 'bytes' ? `${formatAmount(done, unit)} of ${formatAmount(total, unit)}` : `${percent} %`;
    // Too early in the work an estimate would be far off.
    const remaining = done > total / 100 && total > done ? `, ${formatDuration((total - done) / rate)} left` : '';
    stderr.write(`\r\x1b[K${verb} ${progressText}, ${formatAmount(rate, unit)}/s${remaining} (Ctrl-C stops)`);
  }

  /** Removes the line. */
  function end() {
    if (drawnAt > 0) stderr.write('\r\x1b[K');
  }

  return { update, end };
}

function formatAmount(value: number, unit: string): string {
  if (unit === 'bytes') return `${(value / 1e6).toFixed(1)} MB`;
  return `${Math.round(value).toLocaleString('en')} ${unit}`;
}

/** Fails with `sentence` if the user stops the work half-way. */
export async function withStopMessage<T>(work: Promise<T>, sentence: string): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw (error as Error).name === 'AbortError' ? new Failure('stopped', sentence) : error;
  }
}

/** Aborts at the first Ctrl-C, so that the work can stop between two steps. The second Ctrl-C ends the process. */
export function interruptSignal(): AbortSignal {
  const controller = new AbortController();
  const stop = () => controller.abort();
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
  return controller.signal;
}
