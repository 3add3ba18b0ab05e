const BARS = '▁▂▃▄▅▆▇█';

/** Draws values as a row of at most `width` bars. Values that share a bar are averaged, and a gap stays a gap. */
export function sparkline(values: readonly (number | null)[], width: number, top?: number): string {
  const points = averageBuckets(values, width);
  const numbers = points.filter((value) => value !== null);
  const max = top ?? Math.max(0, ...numbers);
  return points.map((value) => (value === null ? ' ' : barOf(value, max))).join('');
}

function barOf(value: number, max: number): string {
  const step = max <= 0 ? 0 : Math.round((value / max) * (BARS.length - 1));
  return BARS[Math.min(BARS.length - 1, Math.max(0, step))] as string;
}

function averageBuckets(values: readonly (number | null)[], width: number): readonly (number | null)[] {
  if (values.length <= width) return values;
  return Array.from({ length: width }, (_, i) => {
    const [from, to] = [Math.floor((i * values.length) / width), Math.floor(((i + 1) * values.length) / width)];
    return mean(values.slice(from, to));
  });
}

export function mean(values: readonly (number | null)[]): number | null {
  const numbers = values.filter((value) => value !== null);
  return numbers.length === 0 ? null : numbers.reduce((sum, value) => sum + value, 0) / numbers.length;
}
