import { padEnd, shorten, widthOf } from './text.ts';

/** Rows in columns as wide as their widest cell; the last one takes what is left of the line. */
export function tableLines(
  rows: readonly (readonly string[])[],
  width: number,
  paint: (cell: string, column: number) => string = (cell) => cell,
): string[] {
  const last = Math.max(0, ...rows.map((row) => row.length - 1));
  const widths = Array.from({ length: last }, (_, i) => Math.max(...rows.map((row) => widthOf(row[i] ?? ''))));
  const remaining = Math.max(20, width - widths.reduce((sum, each) => sum + each + 2, 0));
  return rows.map((row) =>
    row
      .map((cell, i) => paint(i === last ? shorten(cell, remaining) : padEnd(cell, widths[i] as number), i))
      .join('  ')
      .trimEnd(),
  );
}
