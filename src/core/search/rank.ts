import type { TextKind } from './kinds.ts';
import type { Shown } from './snippet.ts';

export interface Ranked {
  readonly kind: TextKind;
  /** Milliseconds since 1970. */
  readonly ts: number;
  readonly shown: Pick<Shown, 'times' | 'length'>;
}

const DAY = 24 * 60 * 60 * 1000;
const HALF_LIFE_DAYS = 30;
const TITLE = 1;

/**
 * The best first: often in few words, a title, and of late. All of them have
 * every term, so no term needs to be weighed against another. Age counts from
 * the newest of them, which needs no clock; what is alike stays as it came.
 */
export function ranked<T extends Ranked>(found: readonly T[]): readonly T[] {
  const newest = Math.max(...found.map(({ ts }) => ts));
  const scored = found.map((item) => ({ item, score: scoreOf(item, newest) }));
  return scored.sort((a, b) => b.score - a.score).map(({ item }) => item);
}

function scoreOf({ kind, ts, shown: { times, length } }: Ranked, newest: number): number {
  const often = times / (times + 1 + length / 50);
  const recent = 1 / (1 + (newest - ts) / DAY / HALF_LIFE_DAYS);
  return often + recent + (kind === 'title' ? TITLE : 0);
}
