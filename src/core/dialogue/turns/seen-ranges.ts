/** The drafts a person has seen, as sorted, disjoint ranges of indices, since people read consecutive drafts. */
export type SeenRanges = readonly (readonly [first: number, last: number])[];

export function hasSeen(ranges: SeenRanges, index: number): boolean {
  return ranges.some(([first, last]) => first <= index && index <= last);
}

export function lastSeenIndex(ranges: SeenRanges): number | undefined {
  return ranges.at(-1)?.[1];
}

export function addSeen(seen: SeenRanges, indices: readonly number[]): SeenRanges {
  const ranges = [...seen, ...indices.map((index) => [index, index] as const)].sort((a, b) => a[0] - b[0]);
  const merged: [number, number][] = [];
  for (const [first, last] of ranges) {
    const previous = merged.at(-1);
    if (previous && first <= previous[1] + 1) previous[1] = Math.max(previous[1], last);
    else merged.push([first, last]);
  }
  return merged;
}
