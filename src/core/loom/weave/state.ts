import { EMPTY_ROPE, type Rope, ropeOf, sliceOf } from './rope.ts';
import { pendingSlots, type Slots, slotAt, slotAtOffset, slotsOf, startOf, type TextRange } from './slots.ts';

/*
 * The weave: a path of a loom as one editable text (W8). Always true:
 * - the rope is the nodes' text as it stands, in order, then the working buffer;
 * - slot i is as long as node i's text now is, and has ranges exactly while an edit of node i is pending;
 * - no text has half a surrogate pair, so neither has any boundary.
 * A weave never changes: every operation gives another one that shares nearly all of it.
 */
export interface WeaveNode {
  readonly id: string;
  readonly text: string;
}

export interface Weave {
  readonly nodes: readonly WeaveNode[];
  readonly slots: Slots;
  readonly rope: Rope;
  /** By place: what a node was before commits that are not settled yet, oldest first; null where it was the buffer. */
  readonly flight: ReadonlyMap<number, readonly (WeaveNode | null)[]>;
  readonly commits: number;
  readonly undone: EditHistory;
  readonly done: EditHistory;
}

export type EditHistory = { readonly entry: EditEntry; readonly rest: EditHistory } | undefined;

/** One text taken out and one put in, within one node or within the buffer. */
export interface EditEntry {
  readonly index: number;
  readonly at: number;
  readonly removed: string;
  readonly inserted: string;
  readonly before: readonly TextRange[] | undefined;
  readonly after: readonly TextRange[] | undefined;
  /** Undone and done again together with the one before. */
  readonly joined: boolean;
}

/** The index that stands for the working buffer. */
export const BUFFER = -1;

export interface PendingEdit {
  readonly node: string;
  readonly original: string;
  readonly current: string;
  /** Offsets within `current`; an empty range is where text was taken out. */
  readonly ranges: readonly TextRange[];
}

export interface NodeRange extends TextRange {
  /** The node's id, or null for the working buffer. */
  readonly node: string | null;
  readonly pending: boolean;
}

export function createWeave(nodes: readonly WeaveNode[]): Weave {
  for (const { id, text } of nodes) {
    if (!text.isWellFormed()) throw new TypeError(`Node ${id} has half a surrogate pair in its text.`);
  }
  return {
    nodes,
    slots: slotsOf(nodes.map(({ text }) => ({ length: text.length }))),
    rope: nodes.length === 0 ? EMPTY_ROPE : ropeOf(nodes.map(({ text }) => text).join('')),
    flight: new Map(),
    commits: 0,
    undone: undefined,
    done: undefined,
  };
}

export function lengthOf(weave: Weave): number {
  return weave.rope.length;
}

export function textOf(weave: Weave, from = 0, to = weave.rope.length): string {
  return sliceOf(weave.rope, from, to);
}

export function bufferOf(weave: Weave): string {
  return sliceOf(weave.rope, weave.slots.root.length, weave.rope.length);
}

/** Who owns the unit at `offset`: a node, or the working buffer behind the last one. */
export function nodeAt(weave: Weave, offset: number): NodeRange {
  return rangeAt(weave, slotAtOffset(weave.slots, offset).index);
}

export function rangeOf(weave: Weave, node: string | null): NodeRange | undefined {
  if (node === null) return rangeAt(weave, weave.nodes.length);
  const index = indexOf(weave, node);
  return index === undefined ? undefined : rangeAt(weave, index);
}

/** Every node that touches the part from `from` to `to`, empty ones too, and the buffer if it does. */
export function nodesIn(weave: Weave, from: number, to: number): NodeRange[] {
  const ranges: NodeRange[] = [];
  let index = from === 0 ? 0 : slotAtOffset(weave.slots, from - 1).index;
  for (let start = startOf(weave.slots, index); start <= to && index < weave.nodes.length; index++) {
    const slot = slotAt(weave.slots, index);
    const end = start + slot.length;
    const node = weave.nodes[index]?.id ?? null;
    if (end >= from) ranges.push({ node, from: start, to: end, pending: slot.ranges !== undefined });
    start = end;
  }
  if (index >= weave.nodes.length && to > weave.slots.root.length) ranges.push(rangeAt(weave, index));
  return ranges;
}

export function pendingEdits(weave: Weave): PendingEdit[] {
  return pendingSlots(weave.slots).map((index) => pendingEditAt(weave, index));
}

export function pendingEditAt(weave: Weave, index: number): PendingEdit {
  const node = nodeOf(weave, index);
  const { ranges = [] } = slotAt(weave.slots, index);
  return { node: node.id, original: node.text, current: currentTextAt(weave, index), ranges };
}

export function currentTextAt(weave: Weave, index: number): string {
  const start = startOf(weave.slots, index);
  return sliceOf(weave.rope, start, start + slotAt(weave.slots, index).length);
}

export function nodeOf(weave: Weave, index: number): WeaveNode {
  const node = weave.nodes[index];
  if (node === undefined) throw new RangeError(`The path has no node ${index}.`);
  return node;
}

/* Only structure changes the list of nodes, so its index is made when first asked for and kept as long as the list. */
const indexes = new WeakMap<readonly WeaveNode[], ReadonlyMap<string, number>>();

export function indexOf(weave: Weave, node: string): number | undefined {
  let index = indexes.get(weave.nodes);
  if (index === undefined) {
    index = new Map(weave.nodes.map(({ id }, at) => [id, at]));
    indexes.set(weave.nodes, index);
  }
  return index.get(node);
}

function rangeAt(weave: Weave, index: number): NodeRange {
  const from = startOf(weave.slots, index);
  const node = weave.nodes[index];
  if (node === undefined) return { node: null, from, to: weave.rope.length, pending: false };
  const { length, ranges } = slotAt(weave.slots, index);
  return { node: node.id, from, to: from + length, pending: ranges !== undefined };
}
