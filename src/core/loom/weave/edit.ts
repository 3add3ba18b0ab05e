import { type Refusal, refuse } from '../../refusal.ts';
import { commitPart, type WeaveCommit } from './commit.ts';
import { applyEntry } from './history.ts';
import { codeUnitAt, type Rope, sliceOf } from './rope.ts';
import { firstPending, slotAt, slotAtOffset, startOf, type TextRange } from './slots.ts';
import { BUFFER, type EditEntry, nodeOf, type Weave } from './state.ts';

export interface TextChange {
  readonly from: number;
  readonly to: number;
  readonly insert: string;
}

export interface EditResult {
  readonly weave: Weave;
  /** A commit to send first, because this edit is outside the uncommitted part (W9, W10). */
  readonly commit?: WeaveCommit;
  /** The ids, in the new weave, of the nodes that this edit changed. */
  readonly nodes: readonly string[];
}

/** A change within one node or within the buffer. */
interface ChangePart extends TextChange {
  readonly index: number;
}

/**
 * One operation on the text: one change, or several in ascending order, with offsets in the current text. `join` adds
 * it to the previous undo step, as for continued typing.
 */
export function applyChanges(
  weave: Weave,
  changes: TextChange | readonly TextChange[],
  join = false,
): EditResult | Refusal {
  const validChanges = widenToPairs(weave.rope, checkChanges(weave, 'from' in changes ? [changes] : changes));
  if (!validChanges.every(({ insert }) => insert.isWellFormed())) {
    return refuse('unacceptable_text', 'This edit would leave half a surrogate pair. Edit whole characters.');
  }
  if (validChanges.some(({ insert }) => insert.includes('\0'))) {
    return refuse('unacceptable_text', 'This text contains a NUL character, which no node can store. Remove it.');
  }
  const parts = validChanges.flatMap((change) => partsOf(weave, change));
  if (parts.length === 0) return { weave, nodes: [] };

  const commitParts = partsToCommit(weave, parts);
  const { weave: base, commit } = commitPart(weave, commitParts);
  const placedParts = commitParts.buffer
    ? parts.map((part) => (part.index === BUFFER ? { ...part, index: base.nodes.length - 1 } : part))
    : parts;

  let current: Weave = { ...base, undone: undefined };
  let isJoined = join && current.done !== undefined;
  for (const part of placedParts.toReversed()) {
    const entry = editEntry(current, part, isJoined);
    current = applyEntry(current, entry, 'forth');
    current = { ...current, done: { entry, rest: current.done } };
    isJoined = true;
  }
  const touchedIndexes = new Set(placedParts.map(({ index }) => index).filter((index) => index !== BUFFER));
  const nodes = [...touchedIndexes].map((index) => nodeOf(current, index).id);
  return commit === undefined ? { weave: current, nodes } : { weave: current, commit, nodes };
}

/**
 * An edit of a node commits the buffer (W9). An edit outside the pending set, even in the buffer, commits the set
 * (W10).
 */
function partsToCommit(
  weave: Weave,
  parts: readonly ChangePart[],
): { readonly edits: boolean; readonly buffer: boolean } {
  const nodeParts = parts.filter(({ index }) => index !== BUFFER);
  const touchesPending = nodeParts.some(({ index }) => slotAt(weave.slots, index).ranges !== undefined);
  return {
    edits: weave.slots.root.pending > 0 && !touchesPending,
    buffer: weave.rope.length > weave.slots.root.length && nodeParts.length > 0,
  };
}

/** Deleted text is removed from each node that owns a part of it; inserted text goes to the first of them (W12). */
function partsOf(weave: Weave, { from, to, insert }: TextChange): ChangePart[] {
  if (from === to) {
    const index = typingTarget(weave, from);
    const at = from - startOf(weave.slots, index === BUFFER ? weave.slots.count : index);
    return [{ index, from: at, to: at, insert }];
  }
  const parts: ChangePart[] = [];
  let { index, start } = slotAtOffset(weave.slots, from);
  for (; index < weave.slots.count && start < to; index++) {
    const end = start + slotAt(weave.slots, index).length;
    if (end > start)
      parts.push({ index, from: Math.max(from, start) - start, to: Math.min(to, end) - start, insert: '' });
    start = end;
  }
  const nodesEnd = weave.slots.root.length;
  if (to > nodesEnd)
    parts.push({ index: BUFFER, from: Math.max(from, nodesEnd) - nodesEnd, to: to - nodesEnd, insert: '' });
  return parts.map((part, at) => (at === 0 ? { ...part, insert } : part));
}

/** Among the nodes that meet at `offset`, typing continues the leftmost one with a pending edit (W11). */
function typingTarget({ slots, rope }: Weave, offset: number): number {
  const nodesEnd = slots.root.length;
  if (offset > nodesEnd || (offset === nodesEnd && rope.length > nodesEnd)) return BUFFER;
  const right = slotAtOffset(slots, offset);
  if (right.index < slots.count && right.start < offset) return right.index;
  const left = offset === 0 ? 0 : slotAtOffset(slots, offset - 1).index;
  const pending = firstPending(slots, left, right.index);
  if (pending !== undefined) return pending;
  if (offset === nodesEnd) return BUFFER;
  return offset === 0 ? right.index : left;
}

function editEntry(weave: Weave, { index, from, to, insert }: ChangePart, isJoined: boolean): EditEntry {
  const start = startOf(weave.slots, index === BUFFER ? weave.slots.count : index);
  const before = index === BUFFER ? undefined : slotAt(weave.slots, index).ranges;
  const after = index === BUFFER ? undefined : rangesAfter(before ?? [], from, to, insert.length);
  return {
    index,
    at: from,
    removed: sliceOf(weave.rope, start + from, start + to),
    inserted: insert,
    before,
    after,
    joined: isJoined,
  };
}

function rangesAfter(
  ranges: readonly TextRange[],
  from: number,
  to: number,
  insertedLength: number,
): readonly TextRange[] {
  const shift = insertedLength - (to - from);
  const before = ranges.filter((range) => range.to < from);
  const following = ranges
    .filter((range) => range.from > to)
    .map((range) => ({ from: range.from + shift, to: range.to + shift }));
  const overlapping = ranges.slice(before.length, ranges.length - following.length);
  const first = Math.min(from, overlapping[0]?.from ?? from);
  const last = Math.max(to, overlapping.at(-1)?.to ?? to) + shift;
  return [...before, { from: first, to: last }, ...following];
}

function checkChanges(weave: Weave, changes: readonly TextChange[]): readonly TextChange[] {
  let end = 0;
  for (const { from, to } of changes) {
    if (!(Number.isInteger(from) && Number.isInteger(to) && end <= from && from <= to && to <= weave.rope.length)) {
      throw new RangeError(`No part of this text runs from ${from} to ${to}, or the changes are out of order.`);
    }
    end = to;
  }
  return changes.filter(({ from, to, insert }) => from !== to || insert !== '');
}

/** Widens changes that cut a surrogate pair to cover the whole pair, with the same resulting text. */
function widenToPairs(rope: Rope, changes: readonly TextChange[]): readonly TextChange[] {
  const widened: TextChange[] = [];
  for (let { from, to, insert } of changes) {
    const last = widened.at(-1);
    if (splitsPair(rope, from)) {
      if (last !== undefined && last.to > from) {
        // Both cut the same pair, and the previous change already covers its second half.
        widened.pop();
        insert = last.insert.slice(0, -1) + insert;
        from = last.from;
      } else {
        insert = sliceOf(rope, from - 1, from) + insert;
        from--;
      }
    }
    if (splitsPair(rope, to)) {
      insert += sliceOf(rope, to, to + 1);
      to++;
    }
    widened.push({ from, to, insert });
  }
  return widened;
}

function splitsPair(rope: Rope, at: number): boolean {
  if (at <= 0 || at >= rope.length) return false;
  return (codeUnitAt(rope, at - 1) & 0xfc00) === 0xd800 && (codeUnitAt(rope, at) & 0xfc00) === 0xdc00;
}
