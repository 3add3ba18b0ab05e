import type { Change } from './edit.ts';
import { keepWhere } from './history.ts';
import { replaceIn } from './rope.ts';
import { allSlots, pendingSlots, type Slot, slotAt, slotsOf, startOf, withSlot } from './slots.ts';
import { currentAt, indexOf, nodeOf, type PendingEdit, pendingAt, type Weave, type WeaveNode } from './state.ts';

export interface Shown {
  readonly weave: Weave;
  /** What happened to the whole text. */
  readonly change?: Change;
  /** Pending edits of nodes that are no longer on the path, or have another text there. A switch commits first, so there should be none. */
  readonly displaced: readonly PendingEdit[];
}

/** The path has become this one: a version or branch was switched, nodes have come. Edits of nodes still on it stay. */
export function showPath(weave: Weave, nodes: readonly WeaveNode[]): Shown {
  const { nodes: old, slots } = weave;
  const same = (a: WeaveNode | undefined, b: WeaveNode | undefined) => a?.id === b?.id && a?.text === b?.text;
  const shorter = Math.min(old.length, nodes.length);
  let first = 0;
  while (first < shorter && same(old[first], nodes[first])) first++;
  let behind = 0;
  while (behind < shorter - first && same(old[old.length - 1 - behind], nodes[nodes.length - 1 - behind])) behind++;
  if (first === old.length && first === nodes.length) return { weave, displaced: [] };
  if (weave.flight.get(first - 1)?.[0] === null && nodes.length > first) {
    throw new Error('Settle a commit before showing what comes after its node.');
  }

  const between = nodes.slice(first, nodes.length - behind).map((node) => carryOver(weave, node));
  const [from, to] = [startOf(slots, first), startOf(slots, old.length - behind)];
  const change = { from, to, insert: between.map(({ text }) => text).join('') };
  const before = allSlots(slots);
  const after = [...before.slice(0, first), ...between.map(({ slot }) => slot), ...before.slice(old.length - behind)];
  const stays = (index: number) => index < first || (nodes.length === old.length && index >= nodes.length - behind);
  const shown: Weave = {
    ...weave,
    nodes,
    slots: slotsOf(after),
    rope: replaceIn(weave.rope, from, to, change.insert),
    done: keepWhere(weave.done, stays),
    undone: keepWhere(weave.undone, stays),
  };
  const displaced = pendingSlots(slots).filter((index) => !isOn(shown, nodeOf(weave, index)));
  return {
    weave: { ...shown, flight: flightOn(weave, shown) },
    change,
    displaced: displaced.map((index) => pendingAt(weave, index)),
  };
}

/** A stream has got so far: `text` is all of the node's text until now. */
export function growNode(weave: Weave, id: string, text: string): { readonly weave: Weave; readonly change?: Change } {
  const index = indexOf(weave, id);
  if (index === undefined) return { weave };
  const node = nodeOf(weave, index);
  if (!text.startsWith(node.text)) throw new Error(`Node ${id} may only grow.`);
  // Half a surrogate pair waits for the other half.
  const whole = /[\ud800-\udbff]$/.test(text.slice(-1)) ? text.slice(0, -1) : text;
  const more = whole.slice(node.text.length);
  if (more === '') return { weave };
  if (!more.isWellFormed()) throw new TypeError(`Node ${id} has half a surrogate pair in its text.`);

  const slot = slotAt(weave.slots, index);
  const end = startOf(weave.slots, index) + slot.length;
  const change = { from: end, to: end, insert: more };
  const grown = {
    ...weave,
    nodes: weave.nodes.with(index, { id, text: whole }),
    slots: withSlot(weave.slots, index, { ...slot, length: slot.length + more.length }),
    rope: replaceIn(weave.rope, end, end, more),
    flight: grownFlight(weave.flight, index, more),
  };
  return { weave: grown, change };
}

/** What a version under way was made of grows as it does, so that taken back it differs by the edit alone. */
function grownFlight(flight: Weave['flight'], index: number, more: string): Weave['flight'] {
  const before = flight.get(index);
  if (!before) return flight;
  const grown = before.map((node) => node && { ...node, text: node.text + more });
  return new Map(flight).set(index, grown);
}

function isOn(weave: Weave, { id, text }: WeaveNode): boolean {
  const index = indexOf(weave, id);
  return index !== undefined && nodeOf(weave, index).text === text;
}

function carryOver(weave: Weave, node: WeaveNode): { readonly slot: Slot; readonly text: string } {
  const index = indexOf(weave, node.id);
  if (index !== undefined && nodeOf(weave, index).text === node.text) {
    return { slot: slotAt(weave.slots, index), text: currentAt(weave, index) };
  }
  if (!node.text.isWellFormed()) throw new TypeError(`Node ${node.id} has half a surrogate pair in its text.`);
  return { slot: { length: node.text.length }, text: node.text };
}

function flightOn(weave: Weave, shown: Weave): Weave['flight'] {
  const flight = new Map<number, readonly (WeaveNode | null)[]>();
  for (const [index, before] of weave.flight) {
    const now = indexOf(shown, nodeOf(weave, index).id);
    if (now !== undefined) flight.set(now, before);
  }
  return flight;
}
