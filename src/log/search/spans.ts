import type { IndexHit, IndexPage } from './search-index.ts';

/**
 * Texts are numbered in log order, and an import may add old ones late. So the oldest and newest time is kept for
 * each span of texts, and a time filter searches only the spans that can match.
 */
export const SPAN_SIZE = 1024;

/** Spans that are almost adjacent are searched together. */
const MERGE_DISTANCE = 8;
/** The size of the first search. */
const FIRST_STRETCH = 2 * SPAN_SIZE;
const LARGEST_STRETCH = 1024 * SPAN_SIZE;
const GROWTH = 8;

export interface NumberRange {
  readonly from: number;
  /** Inclusive. */
  readonly to: number;
}

export const ALL_NUMBERS: readonly NumberRange[] = [{ from: 1, to: Number.MAX_SAFE_INTEGER }];

/** The number ranges of spans, newest first; the spans are given newest first. */
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

/** The first number of the next search, which ends at `to`. */
type NextStart = (to: number) => number;

export const wholeRange: NextStart = () => 1;

/** Searches a few texts first, then more at a time. */
export function growingStretches(): NextStart {
  let size = FIRST_STRETCH;
  return (to) => {
    const from = to - size + 1;
    size = Math.min(size * GROWTH, LARGEST_STRETCH);
    return from;
  };
}

/** Searches a few texts first, then the rest of their shelf, then more shelves at a time. */
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
 * Searches ranges from the newest number on, one stretch at a time, until there are enough matches or `withinMs` is
 * over: common words may rarely form the phrase.
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
