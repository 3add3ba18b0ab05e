import type { TextChange } from './edit.ts';
import { keepEntriesWhere } from './history.ts';
import { replaceIn } from './rope.ts';
import { allSlots, pendingSlots, type Slot, slotAt, slotsOf, startOf, withSlot } from './slots.ts';
import {
  currentTextAt,
  indexOf,
  nodeOf,
  type PendingEdit,
  pendingEditAt,
  type Weave,
  type WeaveNode,
} from './state.ts';

export interface PathUpdate {
  readonly weave: Weave;
  /** The change to the whole text. */
  readonly change?: TextChange;
  /** Pending edits of nodes that left the path or have another text there. A switch commits first, so expect none. */
  readonly displaced: readonly PendingEdit[];
}

/** Replaces the path after a switch or new nodes. Pending edits of nodes that are still on it stay. */
export function showPath(weave: Weave, nodes: readonly WeaveNode[]): PathUpdate {
  const { nodes: oldNodes, slots } = weave;
  const isSameNode = (a: WeaveNode | undefined, b: WeaveNode | undefined) => a?.id === b?.id && a?.text === b?.text;
  const shorter = Math.min(oldNodes.length, nodes.length);
  let commonPrefix = 0;
  while (commonPrefix < shorter && isSameNode(oldNodes[commonPrefix], nodes[commonPrefix])) commonPrefix++;
  let commonSuffix = 0;
  while (
    commonSuffix < shorter - commonPrefix &&
    isSameNode(oldNodes[oldNodes.length - 1 - commonSuffix], nodes[nodes.length - 1 - commonSuffix])
  )
    commonSuffix++;
  if (commonPrefix === oldNodes.length && commonPrefix === nodes.length) return { weave, displaced: [] };
  if (weave.flight.get(commonPrefix - 1)?.[0] === null && nodes.length > commonPrefix) {
    throw new Error('Settle a commit before showing what comes after its node.');
  }

  const inserted = nodes.slice(commonPrefix, nodes.length - commonSuffix).map((node) => carryOver(weave, node));
  const [from, to] = [startOf(slots, commonPrefix), startOf(slots, oldNodes.length - commonSuffix)];
  const change = { from, to, insert: inserted.map(({ text }) => text).join('') };
  const before = allSlots(slots);
  const after = [
    ...before.slice(0, commonPrefix),
    ...inserted.map(({ slot }) => slot),
    ...before.slice(oldNodes.length - commonSuffix),
  ];
  const isUnchanged = (index: number) =>
    index < commonPrefix || (nodes.length === oldNodes.length && index >= nodes.length - commonSuffix);
  const updated: Weave = {
    ...weave,
    nodes,
    slots: slotsOf(after),
    rope: replaceIn(weave.rope, from, to, change.insert),
    done: keepEntriesWhere(weave.done, isUnchanged),
    undone: keepEntriesWhere(weave.undone, isUnchanged),
  };
  const displaced = pendingSlots(slots).filter((index) => !isOnPath(updated, nodeOf(weave, index)));
  return {
    weave: { ...updated, flight: remapFlight(weave, updated) },
    change,
    displaced: displaced.map((index) => pendingEditAt(weave, index)),
  };
}

/** Updates a streaming node; `text` is all of its text so far. */
export function growNode(
  weave: Weave,
  id: string,
  text: string,
): { readonly weave: Weave; readonly change?: TextChange } {
  const index = indexOf(weave, id);
  if (index === undefined) return { weave };
  const node = nodeOf(weave, index);
  if (!text.startsWith(node.text)) throw new Error(`Node ${id} may only grow.`);
  // Half a surrogate pair waits for the other half.
  const wellFormed = /[\ud800-\udbff]$/.test(text.slice(-1)) ? text.slice(0, -1) : text;
  const addition = wellFormed.slice(node.text.length);
  if (addition === '') return { weave };
  if (!addition.isWellFormed()) throw new TypeError(`Node ${id} has half a surrogate pair in its text.`);

  const slot = slotAt(weave.slots, index);
  const end = startOf(weave.slots, index) + slot.length;
  const change = { from: end, to: end, insert: addition };
  const next = {
    ...weave,
    nodes: weave.nodes.with(index, { id, text: wellFormed }),
    slots: withSlot(weave.slots, index, { ...slot, length: slot.length + addition.length }),
    rope: replaceIn(weave.rope, end, end, addition),
    flight: growFlight(weave.flight, index, addition),
  };
  return { weave: next, change };
}

/** Grows the base text of an unsettled version along with it, so that after a revert they differ only by the edit. */
function growFlight(flight: Weave['flight'], index: number, addition: string): Weave['flight'] {
  const before = flight.get(index);
  if (!before) return flight;
  const grownNodes = before.map((node) => node && { ...node, text: node.text + addition });
  return new Map(flight).set(index, grownNodes);
}

function isOnPath(weave: Weave, { id, text }: WeaveNode): boolean {
  const index = indexOf(weave, id);
  return index !== undefined && nodeOf(weave, index).text === text;
}

function carryOver(weave: Weave, node: WeaveNode): { readonly slot: Slot; readonly text: string } {
  const index = indexOf(weave, node.id);
  if (index !== undefined && nodeOf(weave, index).text === node.text) {
    return { slot: slotAt(weave.slots, index), text: currentTextAt(weave, index) };
  }
  if (!node.text.isWellFormed()) throw new TypeError(`Node ${node.id} has half a surrogate pair in its text.`);
  return { slot: { length: node.text.length }, text: node.text };
}

function remapFlight(weave: Weave, updated: Weave): Weave['flight'] {
  const flight = new Map<number, readonly (WeaveNode | null)[]>();
  for (const [index, before] of weave.flight) {
    const newIndex = indexOf(updated, nodeOf(weave, index).id);
    if (newIndex !== undefined) flight.set(newIndex, before);
  }
  return flight;
}
