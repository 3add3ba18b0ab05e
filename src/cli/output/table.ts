import type { TerminalOutput } from './output.ts';
import { padEnd, shorten, widthOf } from './text.ts';

/** Formats rows in columns as wide as their widest cell. The last column takes the rest of the line. */
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

/** Prints rows as a table. If `mainColumns` are given, the others are dimmed. */
export function printTable(
  { line, width, colors }: TerminalOutput,
  rows: readonly (readonly string[])[],
  ...mainColumns: readonly number[]
): void {
  const isMain = (column: number) => mainColumns.length === 0 || mainColumns.includes(column);
  for (const row of tableLines(rows, width, (cell, column) => (isMain(column) ? cell : colors.dim(cell)))) line(row);
}
