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
export const FIRST_STRETCH = 2 * SPAN;
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

/**
 * Looks into ranges from the newest number on, a few texts first and then more at a time, until there is enough or
 * `withinMs` is over: common words may be seldom in a row.
 */
export async function findIn(
  ranges: readonly Range[],
  newest: number,
  limit: number,
  withinMs: number,
  look: (range: Range, limit: number) => readonly Found[] | Promise<readonly Found[]>,
): Promise<Finding> {
  const begun = performance.now();
  const found: Found[] = [];
  let size = FIRST_STRETCH;
  for (const range of ranges) {
    for (let to = Math.min(range.to, newest); to >= range.from; ) {
      if (performance.now() - begun > withinMs) return { found, reached: to + 1 };
      const from = Math.max(range.from, to - size + 1);
      found.push(...(await look({ from, to }, limit - found.length)));
      const last = found.at(-1);
      if (last && found.length >= limit) return { found, reached: last.n };
      to = from - 1;
      size = Math.min(size * GROWTH, LARGEST_STRETCH);
    }
  }
  return { found };
}
