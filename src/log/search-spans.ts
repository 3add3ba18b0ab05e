/**
 * Texts are numbered as the log has them, and an import may bring old ones
 * late: so how old and how new the texts of a span are is kept for each span,
 * and a filter by time looks only into those that can have any.
 */
export const SPAN = 1024;

/** Spans that are almost next to each other are looked into at once. */
const NEAR = 8;

export interface Range {
  readonly from: number;
  /** Inclusive. */
  readonly to: number;
}

export const EVERYWHERE: readonly Range[] = [{ from: 0, to: Number.MAX_SAFE_INTEGER }];

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
