import { changedRange } from './changed-range.ts';
import { revertCommits } from './commit.ts';
import { replaceIn } from './rope.ts';
import { pendingSlots, slotAt, startOf, withSlot } from './slots.ts';
import {
  BUFFER,
  bufferOf,
  createWeave,
  type EditHistory,
  indexOf,
  type PendingEdit,
  pendingEditAt,
  type Weave,
  type WeaveNode,
} from './state.ts';

/** All uncommitted changes, as data (W9). An unsettled commit counts as uncommitted. */
export interface Scratch {
  readonly edits: readonly ScratchEdit[];
  readonly buffer: string;
  /** The length of the path (`count`) and its last node (`after`): where the buffer began. */
  readonly count: number;
  readonly after: string | null;
}

export interface ScratchEdit extends PendingEdit {
  /** The position of the node on the path. */
  readonly at: number;
}

export interface RestoredWeave {
  readonly weave: Weave;
  /** Edits of nodes that are no longer on the path. The caller offers them and never drops them. */
  readonly strays: readonly PendingEdit[];
}

export function scratchOf(weave: Weave): Scratch {
  const uncommitted = revertCommits(weave);
  return {
    edits: pendingSlots(uncommitted.slots).map((at) => ({ ...pendingEditAt(uncommitted, at), at })),
    buffer: bufferOf(uncommitted),
    count: uncommitted.nodes.length,
    after: uncommitted.nodes.at(-1)?.id ?? null,
  };
}

/** Restores scratch onto a path that may have changed, possibly through the very commit the scratch was waiting for. */
export function restoreWeave(nodes: readonly WeaveNode[], scratch: Scratch): RestoredWeave {
  let weave = createWeave(nodes);
  const strays: PendingEdit[] = [];
  for (const { at, ...edit } of scratch.edits) {
    const index = indexOf(weave, edit.node);
    if (index !== undefined && nodes[index]?.text === edit.original) weave = withEdit(weave, index, edit);
    else if (nodes[at]?.text !== edit.current) strays.push(edit);
  }
  const end = weave.rope.length;
  const buffer = uncommittedBuffer(nodes, scratch);
  return { weave: withUndoHistory({ ...weave, rope: replaceIn(weave.rope, end, end, buffer) }, buffer), strays };
}

/** Makes restored changes undoable as text: the pending edits as one step, then the buffer (W14, W31). */
function withUndoHistory(weave: Weave, buffer: string): Weave {
  let done: EditHistory;
  for (const [i, index] of pendingSlots(weave.slots).entries()) {
    const { original, current, ranges } = pendingEditAt(weave, index);
    const { from, to } = changedRange(original, current);
    const [removed, inserted] = [
      original.slice(from, original.length - (current.length - to)),
      current.slice(from, to),
    ];
    const entry = { index, at: from, removed, inserted, before: undefined, after: ranges, joined: i > 0 };
    done = { entry, rest: done };
  }
  if (buffer !== '') {
    const entry = { at: 0, removed: '', inserted: buffer, before: undefined, after: undefined, joined: false };
    done = { entry: { ...entry, index: BUFFER }, rest: done };
  }
  return { ...weave, done };
}

function withEdit(weave: Weave, index: number, { original, current, ranges }: PendingEdit): Weave {
  const from = startOf(weave.slots, index);
  const areRangesValid = ranges.every((range, at) => {
    return (ranges[at - 1]?.to ?? -1) < range.from && range.from <= range.to && range.to <= current.length;
  });
  const slot = { length: current.length, ranges: areRangesValid ? ranges : [changedRange(original, current)] };
  const to = from + slotAt(weave.slots, index).length;
  return { ...weave, rope: replaceIn(weave.rope, from, to, current), slots: withSlot(weave.slots, index, slot) };
}

/** The buffer without the text that has become nodes since: nodes with the same text after the buffer's start. */
function uncommittedBuffer(nodes: readonly WeaveNode[], { buffer, count, after }: Scratch): string {
  if ((nodes[count - 1]?.id ?? null) !== after) return buffer;
  let remaining = buffer;
  for (let at = count; at < nodes.length && remaining !== ''; at++) {
    const text = nodes[at]?.text ?? '';
    if (text === '' || !remaining.startsWith(text)) break;
    remaining = remaining.slice(text.length);
  }
  return remaining;
}
