/** Which drafts a person has seen: ranges of indices, in order and apart, since people read in stretches. */
export type Seen = readonly (readonly [first: number, last: number])[];

export function hasSeen(seen: Seen, index: number): boolean {
  return seen.some(([first, last]) => first <= index && index <= last);
}

export function lastSeen(seen: Seen): number | undefined {
  return seen.at(-1)?.[1];
}

export function withSeen(seen: Seen, indices: readonly number[]): Seen {
  const ranges = [...seen, ...indices.map((index) => [index, index] as const)].sort((a, b) => a[0] - b[0]);
  const merged: [number, number][] = [];
  for (const [first, last] of ranges) {
    const before = merged.at(-1);
    if (before && first <= before[1] + 1) before[1] = Math.max(before[1], last);
    else merged.push([first, last]);
  }
  return merged;
}
