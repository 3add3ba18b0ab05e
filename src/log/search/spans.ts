import type { IndexHit, IndexPage } from './search-index.ts';

/**
 * Texts are numbered as the log has them, and an import may bring old ones
 * late: so how old and how new the texts of a span are is kept for each span,
 * and a filter by time looks only into those that can have any.
 */
export const SPAN_SIZE = 1024;

/** Spans that are almost next to each other are looked into at once. */
const MERGE_DISTANCE = 8;
/** So few are looked into first. */
const FIRST_STRETCH = 2 * SPAN_SIZE;
const LARGEST_STRETCH = 1024 * SPAN_SIZE;
const GROWTH = 8;

export interface NumberRange {
  readonly from: number;
  /** Inclusive. */
  readonly to: number;
}

export const ALL_NUMBERS: readonly NumberRange[] = [{ from: 1, to: Number.MAX_SAFE_INTEGER }];

/** Ranges of numbers, the newest first, of spans given the newest first. */
export function rangesOfSpans(spans: readonly number[]): readonly NumberRange[] {
  const ranges: { from: number; to: number }[] = [];
  for (const span of spans) {
    const lastRange = ranges.at(-1);
    if (lastRange && lastRange.from - (span + 1) * SPAN_SIZE <= MERGE_DISTANCE * SPAN_SIZE)
      lastRange.from = span * SPAN_SIZE;
    else ranges.push({ from: span * SPAN_SIZE, to: (span + 1) * SPAN_SIZE - 1 });
  }
  return ranges;
}

/** The first number of the next look, which ends at `to`. */
type NextStart = (to: number) => number;

export const wholeRange: NextStart = () => 1;

/** A few texts first, and then more at a time. */
export function growingStretches(): NextStart {
  let size = FIRST_STRETCH;
  return (to) => {
    const from = to - size + 1;
    size = Math.min(size * GROWTH, LARGEST_STRETCH);
    return from;
  };
}

/** A few texts first, then the rest of their shelf, and then more shelves at a time. */
export function shelfStretches(firstSize: number, shelfSize: number, maxShelves: number): NextStart {
  let shelves = 0;
  return (to) => {
    const start = to - (to % shelfSize);
    const from = shelves === 0 ? Math.max(start, to - firstSize + 1) : start - (shelves - 1) * shelfSize;
    shelves = shelves === 0 ? 1 : Math.min(2 * shelves, maxShelves);
    return from;
  };
}

interface RangeSearch {
  readonly ranges: readonly NumberRange[];
  readonly newest: number;
  readonly limit: number;
  readonly withinMs: number;
  readonly nextStart: NextStart;
  findInRange(range: NumberRange, limit: number): readonly IndexHit[] | Promise<readonly IndexHit[]>;
}

/**
 * Looks into ranges from the newest number on, a stretch at a time, until there is enough or `withinMs` is over:
 * common words may be seldom in a row.
 */
export async function findInRanges({
  ranges,
  newest,
  limit,
  withinMs,
  nextStart,
  findInRange,
}: RangeSearch): Promise<IndexPage> {
  const startedAt = performance.now();
  const hits: IndexHit[] = [];
  for (const range of ranges) {
    for (let to = Math.min(range.to, newest); to >= range.from; ) {
      if (performance.now() - startedAt > withinMs) return { hits, reached: to + 1 };
      const from = Math.max(range.from, nextStart(to));
      hits.push(...(await findInRange({ from, to }, limit - hits.length)));
      const lastHit = hits.at(-1);
      if (lastHit && hits.length >= limit) return { hits, reached: lastHit.n };
      to = from - 1;
    }
  }
  return { hits };
}
