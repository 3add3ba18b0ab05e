import { useEffect, useRef, useState } from 'react';
import type { StripMark } from './strip.ts';

/** Two drafts to compare, by their places on the strip. */
export interface Comparison {
  readonly first: number;
  readonly second: number;
}

interface Choice {
  readonly turn: number | undefined;
  /** The place the reader chose; undefined: whatever is newest. */
  readonly pinned?: number | undefined;
  readonly comparison?: Comparison | undefined;
  readonly isEditing?: boolean;
}

/**
 * What the reader looks at. Whoever is at the newest goes on to what is written next; whoever chose a draft, or has
 * scrolled away from the end, stays.
 */
export function useShownMark(turn: number | undefined, strip: readonly StripMark[], isAtEnd: boolean) {
  const [choice, setChoice] = useState<Choice>({ turn });
  const current: Choice = choice.turn === turn ? choice : { turn };
  const held = useRef<{ readonly turn: number | undefined; readonly iter: number }>(undefined);
  const newest = strip.findLast(({ kind }) => kind === 'writing' || kind === 'reply') ?? strip.at(-1);
  const find = (iter: number | undefined) => strip.find((mark) => mark.iter === iter);
  const heldMark = held.current?.turn === turn ? find(held.current?.iter) : undefined;
  const shown = find(current.pinned) ?? (isAtEnd ? undefined : heldMark) ?? newest;
  const iter = shown?.iter;
  useEffect(() => {
    held.current = iter === undefined ? undefined : { turn, iter };
  }, [turn, iter]);

  const change = (next: Partial<Choice>) => setChoice({ ...current, ...next });
  return {
    shown,
    comparison: current.comparison,
    isEditing: current.isEditing === true,
    /** Shows a mark; the newest one means: and what comes after it. */
    select: (next: number) =>
      change({ pinned: next === newest?.iter ? undefined : next, comparison: undefined, isEditing: false }),
    follow: () => change({ pinned: undefined }),
    compare: (comparison: Comparison | undefined) => change({ comparison, isEditing: false }),
    /** While a draft is edited, it stays. */
    edit: (place: number | undefined) =>
      change({ isEditing: place !== undefined, comparison: undefined, ...(place !== undefined && { pinned: place }) }),
  };
}
