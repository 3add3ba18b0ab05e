const BARS = '▁▂▃▄▅▆▇█';

/** Figures as a row of bars, at most so many; several become their mean, and a gap stays one. */
export function sparkline(values: readonly (number | null)[], width: number, top?: number): string {
  const shown = bundled(values, width);
  const known = shown.filter((value) => value !== null);
  const most = top ?? Math.max(0, ...known);
  return shown.map((value) => (value === null ? ' ' : barOf(value, most))).join('');
}

function barOf(value: number, most: number): string {
  const step = most <= 0 ? 0 : Math.round((value / most) * (BARS.length - 1));
  return BARS[Math.min(BARS.length - 1, Math.max(0, step))] as string;
}

function bundled(values: readonly (number | null)[], width: number): readonly (number | null)[] {
  if (values.length <= width) return values;
  return Array.from({ length: width }, (_, i) => {
    const [from, to] = [Math.floor((i * values.length) / width), Math.floor(((i + 1) * values.length) / width)];
    return mean(values.slice(from, to));
  });
}

export function mean(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0) / known.length;
}
