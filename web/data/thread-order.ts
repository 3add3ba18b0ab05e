import type { ThreadRow } from '../../src/client/index.ts';

/** Most recent first by the activity of a thread or its side channels; closed side channels are in their parent's timeline. */
export function inOrder(
  all: readonly ThreadRow[],
  open?: string,
): readonly { readonly row: ThreadRow; readonly depth: number }[] {
  const known = new Set(all.map(({ id }) => id));
  const shown = all.filter((row) => !(row.side_of && row.done) || row.id === open || !known.has(row.side_of));
  const isUnder = (row: ThreadRow) => row.side_of !== undefined && known.has(row.side_of) && row.side_of !== row.id;
  const sides = Map.groupBy(shown.filter(isUnder), (row) => row.side_of as string);
  const withSides = (row: ThreadRow, depth: number): readonly { row: ThreadRow; depth: number }[] => [
    { row, depth },
    ...(depth > 20 ? [] : recent(sides.get(row.id) ?? []).flatMap((side) => withSides(side, depth + 1))),
  ];
  const groups = shown.filter((row) => !isUnder(row)).map((row) => withSides(row, 0));
  const newest = (group: readonly { row: ThreadRow }[]) =>
    group.reduce((ts, { row }) => (row.last.ts > ts ? row.last.ts : ts), '');
  return groups.sort((a, b) => (newest(a) < newest(b) ? 1 : newest(a) > newest(b) ? -1 : 0)).flat();
}

function recent(list: readonly ThreadRow[]): readonly ThreadRow[] {
  return [...list].sort((a, b) => (a.last.ts < b.last.ts ? 1 : -1));
}
