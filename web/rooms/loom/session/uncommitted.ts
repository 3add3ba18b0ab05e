import {
  type PendingEdit,
  type RestoredWeave,
  restoreWeave,
  type Scratch,
  scratchOf,
  type Weave,
  type WeaveNode,
} from '../../../../src/core/loom/weave/weave.ts';

/** All changes that are not committed, with those that belong to another branch. */
export function uncommittedChanges(weave: Weave, strays: readonly PendingEdit[]): Scratch {
  const { edits, ...rest } = scratchOf(weave);
  return { ...rest, edits: [...edits, ...strays.map((edit) => ({ ...edit, at: rest.count }))] };
}

/** Shows changes on a path. Text that was written after a node of another branch is offered, not moved to this one. */
export function restoreChanges(
  nodes: readonly WeaveNode[],
  changes: Scratch,
  isPlaceOnPath: (node: string) => boolean,
): RestoredWeave {
  const { after, buffer } = changes;
  if (buffer === '' || after === null || isPlaceOnPath(after)) return restoreWeave(nodes, changes);
  const { weave, strays } = restoreWeave(nodes, { ...changes, buffer: '' });
  return { weave, strays: [...strays, { node: after, original: '', current: buffer, ranges: [] }] };
}

/** Rebases edits of texts that were streaming onto the finished nodes. */
export function withFinishedNodes(
  changes: Scratch,
  nodeIds: ReadonlyMap<string, string>,
  textOf: (node: string) => string,
): Scratch {
  const edits = changes.edits.map((edit) => {
    const node = nodeIds.get(edit.node);
    if (node === undefined) return edit;
    const original = textOf(node);
    if (!original.startsWith(edit.original)) return { ...edit, node };
    return { ...edit, node, original, current: edit.current + original.slice(edit.original.length) };
  });
  return { ...changes, edits };
}
