import { type Refusal, refuse } from '../../refusal.ts';
import { type Commit, commitPart } from './commit.ts';
import { carryOut } from './history.ts';
import { type Rope, sliceOf, unitAt } from './rope.ts';
import { firstPending, ownerOf, type Range, slotAt, startOf } from './slots.ts';
import { BUFFER, type Entry, nodeOf, type Weave } from './state.ts';

export interface Change {
  readonly from: number;
  readonly to: number;
  readonly insert: string;
}

export interface Applied {
  readonly weave: Weave;
  /** To be sent before anything else: this edit lay outside what was uncommitted (W9, W10). */
  readonly commit?: Commit;
  /** The nodes this edit changed, by their ids in the new weave. */
  readonly nodes: readonly string[];
}

/** A change within one node or within the buffer. */
interface Part extends Change {
  readonly index: number;
}

/**
 * One operation on the text: one change, or several in ascending order with offsets in the text as it is. `join` makes
 * it part of the undo step before it, as when somebody goes on typing.
 */
export function apply(weave: Weave, changes: Change | readonly Change[], join = false): Applied | Refusal {
  const wanted = wholePairs(weave.rope, checked(weave, 'from' in changes ? [changes] : changes));
  if (!wanted.every(({ insert }) => insert.isWellFormed())) {
    return refuse('unacceptable_text', 'This edit would leave half a surrogate pair. Edit whole characters.');
  }
  if (wanted.some(({ insert }) => insert.includes('\0'))) {
    return refuse('unacceptable_text', 'This text has a NUL character in it, which no node can keep. Take it out.');
  }
  const parts = wanted.flatMap((change) => partsOf(weave, change));
  if (parts.length === 0) return { weave, nodes: [] };

  const due = dueBefore(weave, parts);
  const { weave: base, commit } = commitPart(weave, due);
  const settled = due.buffer
    ? parts.map((part) => (part.index === BUFFER ? { ...part, index: base.nodes.length - 1 } : part))
    : parts;

  let now: Weave = { ...base, undone: undefined };
  let joined = join && now.done !== undefined;
  for (const part of settled.toReversed()) {
    const entry = entryOf(now, part, joined);
    now = carryOut(now, entry, 'forth');
    now = { ...now, done: { entry, rest: now.done } };
    joined = true;
  }
  const touched = new Set(settled.map(({ index }) => index).filter((index) => index !== BUFFER));
  const nodes = [...touched].map((index) => nodeOf(now, index).id);
  return commit === undefined ? { weave: now, nodes } : { weave: now, commit, nodes };
}

/** An edit of a node commits a buffer (W9); one outside the pending set, in the buffer too, commits the set (W10). */
function dueBefore(weave: Weave, parts: readonly Part[]): { readonly edits: boolean; readonly buffer: boolean } {
  const inNodes = parts.filter(({ index }) => index !== BUFFER);
  const inSet = inNodes.some(({ index }) => slotAt(weave.slots, index).ranges !== undefined);
  return {
    edits: weave.slots.root.pending > 0 && !inSet,
    buffer: weave.rope.length > weave.slots.root.length && inNodes.length > 0,
  };
}

/** Text that is taken out is taken from each of its owners; what is put in goes to the first of them (W12). */
function partsOf(weave: Weave, { from, to, insert }: Change): Part[] {
  if (from === to) {
    const index = whereTypingGoes(weave, from);
    const at = from - startOf(weave.slots, index === BUFFER ? weave.slots.count : index);
    return [{ index, from: at, to: at, insert }];
  }
  const parts: Part[] = [];
  let { index, start } = ownerOf(weave.slots, from);
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

/** W11. Of the nodes that meet at `offset`, one whose edit is pending goes on being edited, the leftmost first. */
function whereTypingGoes({ slots, rope }: Weave, offset: number): number {
  const nodesEnd = slots.root.length;
  if (offset > nodesEnd || (offset === nodesEnd && rope.length > nodesEnd)) return BUFFER;
  const right = ownerOf(slots, offset);
  if (right.index < slots.count && right.start < offset) return right.index;
  const left = offset === 0 ? 0 : ownerOf(slots, offset - 1).index;
  const pending = firstPending(slots, left, right.index);
  if (pending !== undefined) return pending;
  if (offset === nodesEnd) return BUFFER;
  return offset === 0 ? right.index : left;
}

function entryOf(weave: Weave, { index, from, to, insert }: Part, joined: boolean): Entry {
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
    joined,
  };
}

function rangesAfter(ranges: readonly Range[], from: number, to: number, inserted: number): readonly Range[] {
  const shift = inserted - (to - from);
  const before = ranges.filter((range) => range.to < from);
  const behind = ranges
    .filter((range) => range.from > to)
    .map((range) => ({ from: range.from + shift, to: range.to + shift }));
  const met = ranges.slice(before.length, ranges.length - behind.length);
  const first = Math.min(from, met[0]?.from ?? from);
  const last = Math.max(to, met.at(-1)?.to ?? to) + shift;
  return [...before, { from: first, to: last }, ...behind];
}

function checked(weave: Weave, changes: readonly Change[]): readonly Change[] {
  let end = 0;
  for (const { from, to } of changes) {
    if (!(Number.isInteger(from) && Number.isInteger(to) && end <= from && from <= to && to <= weave.rope.length)) {
      throw new RangeError(`No part of this text runs from ${from} to ${to}, or the changes are out of order.`);
    }
    end = to;
  }
  return changes.filter(({ from, to, insert }) => from !== to || insert !== '');
}

/** Makes changes that cut a surrogate pair span it, with the same text as the result. */
function wholePairs(rope: Rope, changes: readonly Change[]): readonly Change[] {
  const widened: Change[] = [];
  for (let { from, to, insert } of changes) {
    const last = widened.at(-1);
    if (cutsPair(rope, from)) {
      if (last !== undefined && last.to > from) {
        // Both cut the same pair: the one before has its second half already.
        widened.pop();
        insert = last.insert.slice(0, -1) + insert;
        from = last.from;
      } else {
        insert = sliceOf(rope, from - 1, from) + insert;
        from--;
      }
    }
    if (cutsPair(rope, to)) {
      insert += sliceOf(rope, to, to + 1);
      to++;
    }
    widened.push({ from, to, insert });
  }
  return widened;
}

function cutsPair(rope: Rope, at: number): boolean {
  if (at <= 0 || at >= rope.length) return false;
  return (unitAt(rope, at - 1) & 0xfc00) === 0xd800 && (unitAt(rope, at) & 0xfc00) === 0xdc00;
}
