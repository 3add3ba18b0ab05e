import { Failure } from '../failure.ts';
import type { Output } from './output.ts';
import { duration } from './time.ts';

const FIRST_MS = 1_000;
const EVERY_MS = 200;

/** One line that says how far a long piece of work is, on a terminal only, once it has taken a second (I3). */
export function createProgress({ json }: Output, verb: string, unit: string) {
  const { stderr } = process;
  let start: number | undefined;
  let shown = 0;

  function update(done: number, total: number) {
    const now = performance.now();
    start ??= now;
    if (json || !stderr.isTTY || now - start < FIRST_MS || now - shown < EVERY_MS) return;
    shown = now;
    const seconds = (now - start) / 1000;
    const rate = done / seconds;
    const percent = total > 0 ? Math.min(100, Math.floor((done / total) * 100)) : 0;
    const part = unit === 'bytes' ? `${amount(done, unit)} of ${amount(total, unit)}` : `${percent} %`;
    // Before there is something to go by, a guess would be wild.
    const left = done > total / 100 && total > done ? `, ${duration((total - done) / rate)} left` : '';
    stderr.write(`\r\x1b[K${verb} ${part}, ${amount(rate, unit)}/s${left} (Ctrl-C stops)`);
  }

  /** Removes the line. */
  function end() {
    if (shown > 0) stderr.write('\r\x1b[K');
  }

  return { update, end };
}

function amount(value: number, unit: string): string {
  if (unit === 'bytes') return `${(value / 1e6).toFixed(1)} MB`;
  return `${Math.round(value).toLocaleString('en')} ${unit}`;
}

/** What is true of work that was stopped half-way. */
export async function orStopped<T>(work: Promise<T>, sentence: string): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw (error as Error).name === 'AbortError' ? new Failure('stopped', sentence) : error;
  }
}

/** Aborted at the first Ctrl-C, so that the work can stop between two steps; the second one ends the process. */
export function untilInterrupted(): AbortSignal {
  const controller = new AbortController();
  const stop = () => controller.abort();
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
  return controller.signal;
}
