/** A figure and the goal it is held to; `value` is a ratio within this run or an exact count. */
export interface Figure {
  readonly name: string;
  readonly goal: { readonly atMost: number } | { readonly atLeast: number };
  readonly values: readonly number[];
  readonly note: string;
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[sorted.length >> 1] ?? Number.NaN;
}

/** Runs ours and the floor by turns, so that both meet the same machine, and gives a ratio per round. */
export async function ratios(
  rounds: number,
  ours: () => Promise<number> | number,
  floor: () => Promise<number> | number,
): Promise<{ ratios: number[]; ours: number; floor: number }> {
  const pairs: { ours: number; floor: number }[] = [];
  await ours();
  await floor();
  for (let i = 0; i < rounds; i++) {
    // Whoever goes first meets a colder cache: take turns.
    const first = i % 2 === 0;
    const early = first ? await ours() : await floor();
    const late = first ? await floor() : await ours();
    pairs.push(first ? { ours: early, floor: late } : { ours: late, floor: early });
  }
  return {
    ratios: pairs.map((pair) => pair.ours / pair.floor),
    ours: median(pairs.map((pair) => pair.ours)),
    floor: median(pairs.map((pair) => pair.floor)),
  };
}

/** What work took of a clock and of all processors: the second does not depend on who else uses the machine. */
export async function spent(work: () => unknown): Promise<{ seconds: number; cpuSeconds: number }> {
  const before = process.cpuUsage();
  const start = performance.now();
  await work();
  const seconds = (performance.now() - start) / 1000;
  const { user, system } = process.cpuUsage(before);
  return { seconds, cpuSeconds: (user + system) / 1e6 };
}

export function met({ goal, values }: Figure): boolean {
  const value = median(values);
  return 'atMost' in goal ? value <= goal.atMost : value >= goal.atLeast;
}

export function show(figure: Figure): string {
  const { name, goal, values, note } = figure;
  const wanted = 'atMost' in goal ? `≤ ${goal.atMost}` : `≥ ${goal.atLeast}`;
  const spread = values.length > 1 ? ` (${round(Math.min(...values))}–${round(Math.max(...values))})` : '';
  return `${met(figure) ? 'met   ' : 'MISSED'}  ${round(median(values))}${spread}  goal ${wanted}  ${name}\n        ${note}`;
}

function round(value: number): string {
  return value >= 100 ? value.toFixed(0) : value >= 0.1 ? value.toFixed(2) : value.toPrecision(2);
}
