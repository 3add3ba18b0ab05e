import { EMPTY_ROPE, type Rope, ropeOf, sliceOf } from './rope.ts';
import { pendingSlots, type Slots, slotAt, slotAtOffset, slotsOf, startOf, type TextRange } from './slots.ts';

/*
 * The weave: a path of a loom as one editable text (W8). Always true:
 * - the rope is the current text of the nodes, in order, then the working buffer;
 * - slot i has the current length of node i's text, and has ranges exactly while an edit of node i is pending;
 * - no text contains half a surrogate pair, so no boundary splits a pair.
 * A weave is immutable: every operation returns a new one that shares nearly all of the old.
 */
export interface WeaveNode {
  readonly id: string;
  readonly text: string;
}

export interface Weave {
  readonly nodes: readonly WeaveNode[];
  readonly slots: Slots;
  readonly rope: Rope;
  /** By index: the earlier states of a node before unsettled commits, oldest first; null stands for the buffer. */
  readonly flight: ReadonlyMap<number, readonly (WeaveNode | null)[]>;
  readonly commits: number;
  readonly undone: EditHistory;
  readonly done: EditHistory;
}

export type EditHistory = { readonly entry: EditEntry; readonly rest: EditHistory } | undefined;

/** One replacement of text within a node or within the buffer. */
export interface EditEntry {
  readonly index: number;
  readonly at: number;
  readonly removed: string;
  readonly inserted: string;
  readonly before: readonly TextRange[] | undefined;
  readonly after: readonly TextRange[] | undefined;
  /** Undone and redone together with the previous entry. */
  readonly joined: boolean;
}

/** The index that stands for the working buffer. */
export const BUFFER = -1;

export interface PendingEdit {
  readonly node: string;
  readonly original: string;
  readonly current: string;
  /** Offsets within `current`; an empty range marks deleted text. */
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

/** The owner of the unit at `offset`: a node, or the working buffer after the last node. */
export function nodeAt(weave: Weave, offset: number): NodeRange {
  return rangeAt(weave, slotAtOffset(weave.slots, offset).index);
}

export function rangeOf(weave: Weave, node: string | null): NodeRange | undefined {
  if (node === null) return rangeAt(weave, weave.nodes.length);
  const index = indexOf(weave, node);
  return index === undefined ? undefined : rangeAt(weave, index);
}

/** Every node that touches the range, including empty nodes, and the buffer if it does. */
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

/* Only structural changes replace the list of nodes, so its index is built on first use and kept with the list. */
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
