import type { Change } from './edit.ts';
import { replaceIn } from './rope.ts';
import { slotAt, startOf, withSlot } from './slots.ts';
import { BUFFER, type Entry, type History, type Weave } from './state.ts';

export interface Stepped {
  readonly weave: Weave;
  /** What happened to the whole text, one after the other: each offset counts in the text the one before left. */
  readonly changes: readonly Change[];
}

/** One step back within what is not committed; undefined when there is none, and tree undo is what is left (W14). */
export function undo(weave: Weave): Stepped | undefined {
  let [now, left, undone] = [weave, weave.done, weave.undone];
  const changes: Change[] = [];
  while (left !== undefined) {
    const { entry, rest } = left;
    changes.push(changeOf(now, entry, 'back'));
    now = carryOut(now, entry, 'back');
    undone = { entry, rest: undone };
    left = rest;
    if (!entry.joined) break;
  }
  return changes.length === 0 ? undefined : { weave: { ...now, done: left, undone }, changes };
}

export function redo(weave: Weave): Stepped | undefined {
  let [now, left, done] = [weave, weave.undone, weave.done];
  const changes: Change[] = [];
  while (left !== undefined && (changes.length === 0 || left.entry.joined)) {
    const { entry, rest } = left;
    changes.push(changeOf(now, entry, 'forth'));
    now = carryOut(now, entry, 'forth');
    done = { entry, rest: done };
    left = rest;
  }
  return changes.length === 0 ? undefined : { weave: { ...now, done, undone: left }, changes };
}

export function carryOut(weave: Weave, entry: Entry, way: 'back' | 'forth'): Weave {
  const { from, to, insert } = changeOf(weave, entry, way);
  const rope = replaceIn(weave.rope, from, to, insert);
  if (entry.index === BUFFER) return { ...weave, rope };
  const ranges = way === 'back' ? entry.before : entry.after;
  const length = slotAt(weave.slots, entry.index).length + insert.length - (to - from);
  return { ...weave, rope, slots: withSlot(weave.slots, entry.index, ranges ? { length, ranges } : { length }) };
}

/** What is left of a history when nodes were exchanged: the steps newer than the first that touched one of them. */
export function keepWhere(history: History, kept: (index: number) => boolean): History {
  const entries: Entry[] = [];
  for (let step = history; step !== undefined; step = step.rest) {
    if (step.entry.index !== BUFFER && !kept(step.entry.index)) break;
    entries.push(step.entry);
  }
  return entries.reduceRight<History>((rest, entry) => ({ entry, rest }), undefined);
}

function changeOf(weave: Weave, { index, at, removed, inserted }: Entry, way: 'back' | 'forth'): Change {
  const from = startOf(weave.slots, index === BUFFER ? weave.slots.count : index) + at;
  return way === 'forth'
    ? { from, to: from + removed.length, insert: inserted }
    : { from, to: from + inserted.length, insert: removed };
}
