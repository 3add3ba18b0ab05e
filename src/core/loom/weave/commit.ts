import { changedRange } from './changed-range.ts';
import { allSlots, pendingSlots, pushSlot, type Slots, slotAt, slotsOf, withSlot } from './slots.ts';
import { bufferOf, currentTextAt, nodeOf, type Weave, type WeaveNode } from './state.ts';

/**
 * The changes that one command carries. `as` is the temporary id of a new node in the weave, until `settle` replaces it
 * by the real id. `node` can be a temporary id too while an earlier commit is in flight, so send commits in order.
 */
export interface WeaveCommit {
  readonly edits: readonly { readonly node: string; readonly text: string; readonly as: string }[];
  readonly buffer?: { readonly text: string; readonly as: string };
}

/** Commits all changes. No text moves: versions take the place of their nodes, and the buffer becomes the last node. */
export function commit(weave: Weave): { readonly weave: Weave; readonly commit?: WeaveCommit } {
  return commitPart(weave, { edits: true, buffer: true });
}

export function commitPart(
  weave: Weave,
  parts: { readonly edits: boolean; readonly buffer: boolean },
): { readonly weave: Weave; readonly commit?: WeaveCommit } {
  const pendingIndexes = parts.edits ? pendingSlots(weave.slots) : [];
  const text = parts.buffer ? bufferOf(weave) : '';
  if (pendingIndexes.length === 0 && text === '') return { weave };

  const nodes = weave.nodes.slice();
  const flight = new Map(weave.flight);
  const edits: WeaveCommit['edits'][number][] = [];
  const temporaryId = (place: number) => `~${weave.commits + 1}.${place}`;
  let slots: Slots = weave.slots;
  for (const index of pendingIndexes) {
    slots = withSlot(slots, index, { length: slotAt(slots, index).length });
    const node = nodeOf(weave, index);
    const current = currentTextAt(weave, index);
    if (current === node.text) continue;
    const as = temporaryId(index);
    edits.push({ node: node.id, text: current, as });
    flight.set(index, [...(flight.get(index) ?? []), node]);
    nodes[index] = { id: as, text: current };
  }
  const clean = { ...weave, slots, done: undefined, undone: undefined };
  if (edits.length === 0 && text === '') return { weave: clean };
  if (text === '') return { weave: { ...clean, nodes, flight, commits: weave.commits + 1 }, commit: { edits } };

  const buffer = { text, as: temporaryId(nodes.length) };
  flight.set(nodes.length, [null]);
  nodes.push({ id: buffer.as, text });
  slots = pushSlot(slots, { length: text.length });
  return { weave: { ...clean, nodes, slots, flight, commits: weave.commits + 1 }, commit: { edits, buffer } };
}

/** Gives new nodes their real ids; later edits of them stay pending. */
export function settle(weave: Weave, ids: ReadonlyMap<string, string>): Weave {
  const nodes = weave.nodes.slice();
  const flight = new Map<number, readonly (WeaveNode | null)[]>();
  for (const [index, history] of weave.flight) {
    const node = nodeOf(weave, index);
    const realId = ids.get(node.id);
    if (realId !== undefined) {
      nodes[index] = { id: realId, text: node.text };
      continue;
    }
    // A later commit has replaced this node in the meantime; the version before it is now stored.
    const at = history.findLastIndex((earlier) => earlier !== null && ids.has(earlier.id));
    const earlier = history[at];
    const settled = earlier ? [{ id: ids.get(earlier.id) ?? earlier.id, text: earlier.text }] : [];
    flight.set(index, [...settled, ...history.slice(at + 1)]);
  }
  return { ...weave, nodes, flight };
}

/** Reverts all unsettled commits: their changes become pending edits and the buffer again. */
export function revertCommits(weave: Weave): Weave {
  if (weave.flight.size === 0) return weave;
  const nodes = weave.nodes.slice();
  const slots = allSlots(weave.slots);
  for (const [index, [before]] of weave.flight) {
    if (before === undefined || before === null) continue;
    nodes[index] = before;
    const current = currentTextAt(weave, index);
    slots[index] = { length: current.length, ranges: [changedRange(before.text, current)] };
  }
  // Nodes made from the buffer are always last: nothing is shown after a node that is not stored yet.
  while (weave.flight.get(nodes.length - 1)?.[0] === null) {
    nodes.pop();
    slots.pop();
  }
  return { ...weave, nodes, slots: slotsOf(slots), flight: new Map(), done: undefined, undone: undefined };
}
