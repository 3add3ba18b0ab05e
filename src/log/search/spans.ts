import type { Finding, Found } from './search-index.ts';

/**
 * Texts are numbered as the log has them, and an import may bring old ones
 * late: so how old and how new the texts of a span are is kept for each span,
 * and a filter by time looks only into those that can have any.
 */
export const SPAN = 1024;

/** Spans that are almost next to each other are looked into at once. */
const NEAR = 8;
/** So few are looked into first. */
const FIRST_STRETCH = 2 * SPAN;
const LARGEST_STRETCH = 1024 * SPAN;
const GROWTH = 8;

export interface Range {
  readonly from: number;
  /** Inclusive. */
  readonly to: number;
}

export const EVERYWHERE: readonly Range[] = [{ from: 1, to: Number.MAX_SAFE_INTEGER }];

/** Ranges of numbers, the newest first, of spans given the newest first. */
export function rangesOf(spans: readonly number[]): readonly Range[] {
  const ranges: { from: number; to: number }[] = [];
  for (const span of spans) {
    const last = ranges.at(-1);
    if (last && last.from - (span + 1) * SPAN <= NEAR * SPAN) last.from = span * SPAN;
    else ranges.push({ from: span * SPAN, to: (span + 1) * SPAN - 1 });
  }
  return ranges;
}

/** The first number of the next look, which ends at `to`. */
type Stretches = (to: number) => number;

export const atOnce: Stretches = () => 1;

/** A few texts first, and then more at a time. */
export function growing(): Stretches {
  let size = FIRST_STRETCH;
  return (to) => {
    const from = to - size + 1;
    size = Math.min(size * GROWTH, LARGEST_STRETCH);
    return from;
  };
}

/** A few texts first, then the rest of their shelf, and then more shelves at a time. */
export function byShelves(first: number, shelf: number, most: number): Stretches {
  let shelves = 0;
  return (to) => {
    const start = to - (to % shelf);
    const from = shelves === 0 ? Math.max(start, to - first + 1) : start - (shelves - 1) * shelf;
    shelves = shelves === 0 ? 1 : Math.min(2 * shelves, most);
    return from;
  };
}

interface Looking {
  readonly ranges: readonly Range[];
  readonly newest: number;
  readonly limit: number;
  readonly withinMs: number;
  readonly stretches: Stretches;
  look(range: Range, limit: number): readonly Found[] | Promise<readonly Found[]>;
}

/**
 * Looks into ranges from the newest number on, a stretch at a time, until there is enough or `withinMs` is over:
 * common words may be seldom in a row.
 */
export async function findIn({ ranges, newest, limit, withinMs, stretches, look }: Looking): Promise<Finding> {
  const begun = performance.now();
  const found: Found[] = [];
  for (const range of ranges) {
    for (let to = Math.min(range.to, newest); to >= range.from; ) {
      if (performance.now() - begun > withinMs) return { found, reached: to + 1 };
      const from = Math.max(range.from, stretches(to));
      found.push(...(await look({ from, to }, limit - found.length)));
      const last = found.at(-1);
      if (last && found.length >= limit) return { found, reached: last.n };
      to = from - 1;
    }
  }
  return { found };
}
