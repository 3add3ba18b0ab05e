interface ListedThread {
  readonly id: string;
  readonly archived?: true | undefined;
  readonly side_of?: string | undefined;
}

/** Whether a thread is left out of lists: it is archived, or a side channel of one that is (T32). */
export function isInArchive(row: ListedThread, rowOf: (id: string) => ListedThread | undefined): boolean {
  const visited = new Set<string>();
  for (let current: ListedThread | undefined = row; current && !visited.has(current.id); ) {
    if (current.archived) return true;
    visited.add(current.id);
    current = current.side_of === undefined ? undefined : rowOf(current.side_of);
  }
  return false;
}
