import type { ThreadRow } from '../../src/client/index.ts';
import { isInArchive } from '../../src/core/threads/view/archive.ts';

/**
 * Most recent first by the activity of a thread or its side channels. Closed side channels are in their parent's
 * timeline, and archived threads are shown only while they are open (T32).
 */
export function sortThreads(
  all: readonly ThreadRow[],
  openId?: string,
): readonly { readonly row: ThreadRow; readonly depth: number }[] {
  const unarchived = new Set(withoutArchived(all));
  const shown = all.filter((row) => unarchived.has(row) || row.id === openId);
  const ids = new Set(shown.map(({ id }) => id));
  const listed = shown.filter((row) => !(row.side_of && row.done) || row.id === openId || !ids.has(row.side_of));
  const isSideChannel = (row: ThreadRow) => row.side_of !== undefined && ids.has(row.side_of) && row.side_of !== row.id;
  const sides = Map.groupBy(listed.filter(isSideChannel), (row) => row.side_of as string);
  const withSides = (row: ThreadRow, depth: number): readonly { row: ThreadRow; depth: number }[] => [
    { row, depth },
    ...(depth > 20 ? [] : newestFirst(sides.get(row.id) ?? []).flatMap((side) => withSides(side, depth + 1))),
  ];
  const groups = listed.filter((row) => !isSideChannel(row)).map((row) => withSides(row, 0));
  const newestActivity = (group: readonly { row: ThreadRow }[]) =>
    group.reduce((ts, { row }) => (row.last.ts > ts ? row.last.ts : ts), '');
  return groups
    .sort((a, b) => (newestActivity(a) < newestActivity(b) ? 1 : newestActivity(a) > newestActivity(b) ? -1 : 0))
    .flat();
}

/** The threads that lists and the inbox show unless the archive is asked for (T32). */
export function withoutArchived(all: readonly ThreadRow[]): readonly ThreadRow[] {
  const byId = new Map(all.map((row) => [row.id, row]));
  return all.filter((row) => !isInArchive(row, (id) => byId.get(id)));
}

function newestFirst(list: readonly ThreadRow[]): readonly ThreadRow[] {
  return [...list].sort((a, b) => (a.last.ts < b.last.ts ? 1 : -1));
}
