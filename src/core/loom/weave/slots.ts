/*
 * The weave's data about each node besides its text: its current length and, while an edit is pending, the changed
 * ranges. A persistent tree over the positions of the path; its shape depends only on the number of slots.
 */
export interface TextRange {
  readonly from: number;
  readonly to: number;
}

export interface Slot {
  readonly length: number;
  /** Present while an edit is pending; an empty range marks deleted text. */
  readonly ranges?: readonly TextRange[];
}

export interface Slots {
  readonly count: number;
  readonly root: SlotTree;
}

interface SlotTree {
  readonly length: number;
  readonly pending: number;
  readonly depth: number;
  readonly items: readonly (SlotTree | Slot)[];
}

const WIDTH = 32;

export function slotsOf(slots: readonly Slot[]): Slots {
  let level: SlotTree[] = chunks(slots, (items) => createTree(0, items));
  for (let depth = 1; level.length > 1; depth++) level = chunks(level, (items) => createTree(depth, items));
  return { count: slots.length, root: level[0] ?? createTree(0, []) };
}

export function slotAt(slots: Slots, index: number): Slot {
  let node = slots.root;
  while (node.depth > 0) node = node.items[digit(index, node.depth)] as SlotTree;
  return node.items[digit(index, 0)] as Slot;
}

export function withSlot(slots: Slots, index: number, slot: Slot): Slots {
  return { count: slots.count, root: putSlot(slots.root, index, slot) };
}

export function pushSlot({ count, root }: Slots, slot: Slot): Slots {
  const grownRoot = count === WIDTH ** (root.depth + 1) ? createTree(root.depth + 1, [root]) : root;
  return { count: count + 1, root: appendSlot(grownRoot, count, slot) };
}

export function allSlots(slots: Slots): Slot[] {
  const list: Slot[] = [];
  walkSlots(slots.root, (slot) => list.push(slot));
  return list;
}

/** The start of a slot; for an index past the last slot, the end of all. */
export function startOf(slots: Slots, index: number): number {
  if (index >= slots.count) return slots.root.length;
  let [node, start] = [slots.root, 0];
  for (;;) {
    const childIndex = digit(index, node.depth);
    for (let i = 0; i < childIndex; i++) start += node.items[i]?.length ?? 0;
    if (node.depth === 0) return start;
    node = node.items[childIndex] as SlotTree;
  }
}

/** The slot that owns the unit at `offset`, or `count` if `offset` is past all of them. Empty slots own nothing. */
export function slotAtOffset(slots: Slots, offset: number): { readonly index: number; readonly start: number } {
  if (offset >= slots.root.length) return { index: slots.count, start: slots.root.length };
  let [node, index, start] = [slots.root, 0, 0];
  for (;;) {
    let childIndex = 0;
    while (offset >= start + (node.items[childIndex]?.length ?? 0)) start += node.items[childIndex++]?.length ?? 0;
    index = index * WIDTH + childIndex;
    if (node.depth === 0) return { index, start };
    node = node.items[childIndex] as SlotTree;
  }
}

/** The first slot with a pending edit at or after `from`, before `to`. */
export function firstPending(slots: Slots, from: number, to: number): number | undefined {
  if (slots.root.pending === 0) return undefined;
  const index = searchPending(slots.root, 0, from);
  return index !== undefined && index < to ? index : undefined;
}

export function pendingSlots(slots: Slots): number[] {
  const indexes: number[] = [];
  for (let at = firstPending(slots, 0, slots.count); at !== undefined; at = firstPending(slots, at + 1, slots.count)) {
    indexes.push(at);
  }
  return indexes;
}

function searchPending(node: SlotTree, first: number, from: number): number | undefined {
  const slotsPerChild = WIDTH ** node.depth;
  for (let i = Math.max(0, Math.floor((from - first) / slotsPerChild)); i < node.items.length; i++) {
    const item = node.items[i];
    if (item === undefined || pendingCount(item) === 0) continue;
    if (node.depth === 0) return first + i;
    const index = searchPending(item as SlotTree, first + i * slotsPerChild, from);
    if (index !== undefined) return index;
  }
  return undefined;
}

function putSlot(node: SlotTree, index: number, slot: Slot): SlotTree {
  const childIndex = digit(index, node.depth);
  const before = node.items[childIndex] as SlotTree | Slot;
  const after = node.depth === 0 ? slot : putSlot(before as SlotTree, index, slot);
  const items = node.items.slice();
  items[childIndex] = after;
  return {
    length: node.length + after.length - before.length,
    pending: node.pending + pendingCount(after) - pendingCount(before),
    depth: node.depth,
    items,
  };
}

function appendSlot(node: SlotTree, index: number, slot: Slot): SlotTree {
  if (node.depth === 0) return createTree(0, [...node.items, slot]);
  const childIndex = digit(index, node.depth);
  const child = (node.items[childIndex] as SlotTree | undefined) ?? createTree(node.depth - 1, []);
  const items = node.items.slice();
  items[childIndex] = appendSlot(child, index, slot);
  return createTree(node.depth, items);
}

function walkSlots(node: SlotTree, visit: (slot: Slot) => void): void {
  for (const item of node.items) {
    if (node.depth === 0) visit(item as Slot);
    else walkSlots(item as SlotTree, visit);
  }
}

function createTree(depth: number, items: readonly (SlotTree | Slot)[]): SlotTree {
  let [length, pending] = [0, 0];
  for (const item of items) {
    length += item.length;
    pending += pendingCount(item);
  }
  return { length, pending, depth, items };
}

function pendingCount(item: SlotTree | Slot): number {
  return 'items' in item ? item.pending : item.ranges === undefined ? 0 : 1;
}

function digit(index: number, depth: number): number {
  return Math.floor(index / WIDTH ** depth) % WIDTH;
}

function chunks<T, R>(list: readonly T[], make: (part: readonly T[]) => R): R[] {
  const results: R[] = [];
  for (let at = 0; at < list.length; at += WIDTH) results.push(make(list.slice(at, at + WIDTH)));
  return results;
}
