/*
 * Finds the common parts of two token lists, in order. Equal ends are taken off first; then tokens that occur exactly
 * once on both sides serve as anchors; the rest between them is compared in full if it is small enough. Effort is
 * counted, never timed: when it runs out, the rest counts as different.
 */
export interface AlignedRun {
  readonly a: number;
  readonly b: number;
  readonly length: number;
}

export interface Effort {
  left: number;
}

interface Gap {
  readonly a: number;
  readonly aEnd: number;
  readonly b: number;
  readonly bEnd: number;
  readonly depth: number;
}

const MAX_CELLS = 2 ** 18;
const MAX_DEPTH = 12;
/** The cost of looking up a token, in table cells. */
const LOOKUP_COST = 8;

/** `weigh` gives the value of keeping a token; `anchors` says whether tokens that occur once may serve as anchors. */
export function align(
  a: readonly number[],
  b: readonly number[],
  weigh: (index: number) => number,
  effort: Effort,
  anchors: boolean,
): AlignedRun[] {
  const runs: AlignedRun[] = [];
  const gaps: Gap[] = [{ a: 0, aEnd: a.length, b: 0, bEnd: b.length, depth: 0 }];
  for (let gap = gaps.pop(); gap !== undefined; gap = gaps.pop()) {
    const inner = trimEqualEnds(a, b, gap, runs);
    if (inner.a === inner.aEnd || inner.b === inner.bEnd) continue;
    const anchorRuns = anchors && inner.depth < MAX_DEPTH ? findAnchors(a, b, inner, effort) : [];
    if (anchorRuns.length === 0) {
      compareByTable(a, b, inner, weigh, effort, runs);
      continue;
    }
    let [atA, atB] = [inner.a, inner.b];
    for (const { a: nextA, b: nextB, length } of anchorRuns) {
      runs.push({ a: nextA, b: nextB, length });
      gaps.push({ a: atA, aEnd: nextA, b: atB, bEnd: nextB, depth: inner.depth + 1 });
      [atA, atB] = [nextA + length, nextB + length];
    }
    gaps.push({ a: atA, aEnd: inner.aEnd, b: atB, bEnd: inner.bEnd, depth: inner.depth + 1 });
  }
  return runs.sort((one, other) => one.a - other.a);
}

function trimEqualEnds(a: readonly number[], b: readonly number[], gap: Gap, runs: AlignedRun[]): Gap {
  const shorter = Math.min(gap.aEnd - gap.a, gap.bEnd - gap.b);
  let prefix = 0;
  while (prefix < shorter && a[gap.a + prefix] === b[gap.b + prefix]) prefix++;
  let suffix = 0;
  while (suffix < shorter - prefix && a[gap.aEnd - 1 - suffix] === b[gap.bEnd - 1 - suffix]) suffix++;
  if (prefix > 0) runs.push({ a: gap.a, b: gap.b, length: prefix });
  if (suffix > 0) runs.push({ a: gap.aEnd - suffix, b: gap.bEnd - suffix, length: suffix });
  return { ...gap, a: gap.a + prefix, aEnd: gap.aEnd - suffix, b: gap.b + prefix, bEnd: gap.bEnd - suffix };
}

/** Tokens that occur once on both sides: the longest sequence of them that is in order. */
function findAnchors(a: readonly number[], b: readonly number[], gap: Gap, effort: Effort): AlignedRun[] {
  const cost = LOOKUP_COST * (gap.aEnd - gap.a + gap.bEnd - gap.b);
  if (cost > effort.left) return [];
  effort.left -= cost;
  const inA = uniquePositions(a, gap.a, gap.aEnd);
  const inB = uniquePositions(b, gap.b, gap.bEnd);
  const pairs: AlignedRun[] = [];
  for (const [token, at] of inA) {
    const other = inB.get(token);
    if (at >= 0 && other !== undefined && other >= 0) pairs.push({ a: at, b: other, length: 1 });
  }
  return longestIncreasing(pairs);
}

/** The position of each token, -1 if it has several; ordered by first occurrence. */
function uniquePositions(tokens: readonly number[], from: number, to: number): Map<number, number> {
  const positions = new Map<number, number>();
  for (let at = from; at < to; at++) {
    const token = tokens[at] as number;
    positions.set(token, positions.has(token) ? -1 : at);
  }
  return positions;
}

function longestIncreasing(pairs: readonly AlignedRun[]): AlignedRun[] {
  const tails: number[] = [];
  const previous: number[] = [];
  for (const [i, { b }] of pairs.entries()) {
    let [low, high] = [0, tails.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((pairs[tails[middle] as number]?.b ?? 0) < b) low = middle + 1;
      else high = middle;
    }
    previous[i] = low > 0 ? (tails[low - 1] as number) : -1;
    tails[low] = i;
  }
  const chain: AlignedRun[] = [];
  for (let i = tails.at(-1) ?? -1; i >= 0; i = previous[i] as number) chain.push(pairs[i] as AlignedRun);
  return chain.reverse();
}

/** The heaviest common subsequence, by dynamic programming. */
function compareByTable(
  a: readonly number[],
  b: readonly number[],
  { a: fromA, aEnd, b: fromB, bEnd }: Gap,
  weigh: (index: number) => number,
  effort: Effort,
  runs: AlignedRun[],
): void {
  const [rows, columns] = [aEnd - fromA, bEnd - fromB];
  const cells = (rows + 1) * (columns + 1);
  if (cells > MAX_CELLS || cells > effort.left) return;
  effort.left -= cells;
  const width = columns + 1;
  const best = new Int32Array(cells);
  for (let i = rows - 1; i >= 0; i--) {
    const token = a[fromA + i];
    const weight = weigh(fromA + i);
    for (let j = columns - 1; j >= 0; j--) {
      const at = i * width + j;
      const skip = Math.max(best[at + width] as number, best[at + 1] as number);
      best[at] = token === b[fromB + j] ? Math.max(skip, weight + (best[at + width + 1] as number)) : skip;
    }
  }
  for (let i = 0, j = 0; i < rows && j < columns; ) {
    const at = i * width + j;
    const here = best[at] as number;
    if (a[fromA + i] === b[fromB + j] && here === weigh(fromA + i) + (best[at + width + 1] as number)) {
      runs.push({ a: fromA + i, b: fromB + j, length: 1 });
      i++;
      j++;
    } else if (here === best[at + width]) i++;
    else j++;
  }
}
