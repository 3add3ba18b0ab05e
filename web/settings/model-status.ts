import type { WireModel } from '../../src/client/index.ts';
import { formatRelative } from '../ui/time.tsx';

interface ModelStatus {
  readonly tone: 'good' | 'warn' | 'bad' | 'plain';
  readonly label: string;
  /** What happened and what to do, if something is wrong. */
  readonly problem?: string;
  /** When the last call was and how long it took. */
  readonly call?: string;
}

const LABELS: Readonly<Record<string, string>> = {
  key_missing: 'No key',
  weights_missing: 'Not installed',
  not_pulled: 'Not installed',
  file_missing: 'File missing',
};

/** From what is set up and from the last real call; nothing is guessed. */
export function statusOf({ state, last, used }: WireModel, now: number): ModelStatus {
  const label = LABELS[state.code];
  if (label !== undefined) return { tone: 'bad', label, problem: state.sentence };
  if (last?.failure !== undefined) {
    const isKeyRefused = /\((401|403)\)/.test(last.failure);
    const label = state.code === 'resting' ? 'Resting' : isKeyRefused ? 'Key refused' : 'Failed';
    return { tone: 'bad', label, problem: last.failure, call: `failed ${formatAgo(last.at, now)}` };
  }
  if (state.code === 'resting') return { tone: 'warn', label: 'Resting', problem: state.sentence };
  if (last) {
    return { tone: 'good', label: 'Ready', call: `answered ${formatAgo(last.at, now)} in ${formatMs(last.ms)}` };
  }
  return { tone: 'plain', label: used.calls > 0 ? 'Ready' : 'Not tried yet' };
}

function formatAgo(ts: string, now: number): string {
  const relative = formatRelative(ts, now);
  if (relative === 'now') return 'just now';
  return /^\d+ (min|h)$/.test(relative) ? `${relative} ago` : `at ${relative}`;
}

/** "340 ms", "2.4 s" */
export function formatMs(ms: number): string {
  return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;
}
