/*
 * What the weave keeps of each node beside its text: how long it is now and, while an edit of it is pending, which parts
 * were touched. A persistent tree over the places of the path, of a shape that only the number of slots decides.
 */
export interface Range {
  readonly from: number;
  readonly to: number;
}

export interface Slot {
  readonly length: number;
  /** Present while an edit is pending; an empty range is where text was taken out. */
  readonly ranges?: readonly Range[];
}

export interface Slots {
  readonly count: number;
  readonly root: Tree;
}

interface Tree {
  readonly length: number;
  readonly pending: number;
  readonly depth: number;
  readonly items: readonly (Tree | Slot)[];
}

const WIDTH = 32;

export function slotsOf(slots: readonly Slot[]): Slots {
  let level: Tree[] = chunks(slots, (items) => tree(0, items));
  for (let depth = 1; level.length > 1; depth++) level = chunks(level, (items) => tree(depth, items));
  return { count: slots.length, root: level[0] ?? tree(0, []) };
}

export function slotAt(slots: Slots, index: number): Slot {
  let node = slots.root;
  while (node.depth > 0) node = node.items[digit(index, node.depth)] as Tree;
  return node.items[digit(index, 0)] as Slot;
}

export function withSlot(slots: Slots, index: number, slot: Slot): Slots {
  return { count: slots.count, root: put(slots.root, index, slot) };
}

export function pushSlot({ count, root }: Slots, slot: Slot): Slots {
  const roomy = count === WIDTH ** (root.depth + 1) ? tree(root.depth + 1, [root]) : root;
  return { count: count + 1, root: push(roomy, count, slot) };
}

export function allSlots(slots: Slots): Slot[] {
  const found: Slot[] = [];
  walk(slots.root, (slot) => found.push(slot));
  return found;
}

/** Where the slot begins; for an index past the last one, where all of them end. */
export function startOf(slots: Slots, index: number): number {
  if (index >= slots.count) return slots.root.length;
  let [node, start] = [slots.root, 0];
  for (;;) {
    const own = digit(index, node.depth);
    for (let i = 0; i < own; i++) start += node.items[i]?.length ?? 0;
    if (node.depth === 0) return start;
    node = node.items[own] as Tree;
  }
}

/** The slot that owns the unit at `offset`, or `count` when that lies behind all of them. Empty slots own nothing. */
export function ownerOf(slots: Slots, offset: number): { readonly index: number; readonly start: number } {
  if (offset >= slots.root.length) return { index: slots.count, start: slots.root.length };
  let [node, index, start] = [slots.root, 0, 0];
  for (;;) {
    let own = 0;
    while (offset >= start + (node.items[own]?.length ?? 0)) start += node.items[own++]?.length ?? 0;
    index = index * WIDTH + own;
    if (node.depth === 0) return { index, start };
    node = node.items[own] as Tree;
  }
}

/** The first slot with a pending edit at or after `from`, before `to`. */
export function firstPending(slots: Slots, from: number, to: number): number | undefined {
  if (slots.root.pending === 0) return undefined;
  const found = searchPending(slots.root, 0, from);
  return found !== undefined && found < to ? found : undefined;
}

export function pendingSlots(slots: Slots): number[] {
  const found: number[] = [];
  for (let at = firstPending(slots, 0, slots.count); at !== undefined; at = firstPending(slots, at + 1, slots.count)) {
    found.push(at);
  }
  return found;
}

function searchPending(node: Tree, first: number, from: number): number | undefined {
  const each = WIDTH ** node.depth;
  for (let i = Math.max(0, Math.floor((from - first) / each)); i < node.items.length; i++) {
    const item = node.items[i];
    if (item === undefined || pendingIn(item) === 0) continue;
    if (node.depth === 0) return first + i;
    const found = searchPending(item as Tree, first + i * each, from);
    if (found !== undefined) return found;
  }
  return undefined;
}

function put(node: Tree, index: number, slot: Slot): Tree {
  const own = digit(index, node.depth);
  const before = node.items[own] as Tree | Slot;
  const after = node.depth === 0 ? slot : put(before as Tree, index, slot);
  const items = node.items.slice();
  items[own] = after;
  return {
    length: node.length + after.length - before.length,
    pending: node.pending + pendingIn(after) - pendingIn(before),
    depth: node.depth,
    items,
  };
}

function push(node: Tree, index: number, slot: Slot): Tree {
  if (node.depth === 0) return tree(0, [...node.items, slot]);
  const own = digit(index, node.depth);
  const child = (node.items[own] as Tree | undefined) ?? tree(node.depth - 1, []);
  const items = node.items.slice();
  items[own] = push(child, index, slot);
  return tree(node.depth, items);
}

function walk(node: Tree, visit: (slot: Slot) => void): void {
  for (const item of node.items) {
    if (node.depth === 0) visit(item as Slot);
    else walk(item as Tree, visit);
  }
}

function tree(depth: number, items: readonly (Tree | Slot)[]): Tree {
  let [length, pending] = [0, 0];
  for (const item of items) {
    length += item.length;
    pending += pendingIn(item);
  }
  return { length, pending, depth, items };
}

function pendingIn(item: Tree | Slot): number {
  return 'items' in item ? item.pending : item.ranges === undefined ? 0 : 1;
}

function digit(index: number, depth: number): number {
  return Math.floor(index / WIDTH ** depth) % WIDTH;
}

function chunks<T, R>(list: readonly T[], make: (part: readonly T[]) => R): R[] {
  const made: R[] = [];
  for (let at = 0; at < list.length; at += WIDTH) made.push(make(list.slice(at, at + WIDTH)));
  return made;
}
