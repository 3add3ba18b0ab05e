import type { TextChange } from './edit.ts';
import { replaceIn } from './rope.ts';
import { slotAt, startOf, withSlot } from './slots.ts';
import { BUFFER, type EditEntry, type EditHistory, type Weave } from './state.ts';

export interface HistoryStep {
  readonly weave: Weave;
  /** Changes to the whole text, in order; the offsets of each refer to the text after the previous one. */
  readonly changes: readonly TextChange[];
}

/** Undoes one step of uncommitted text; undefined if there is none, and only tree undo remains (W14). */
export function undo(weave: Weave): HistoryStep | undefined {
  let [current, remaining, undone] = [weave, weave.done, weave.undone];
  const changes: TextChange[] = [];
  while (remaining !== undefined) {
    const { entry, rest } = remaining;
    changes.push(changeOf(current, entry, 'back'));
    current = applyEntry(current, entry, 'back');
    undone = { entry, rest: undone };
    remaining = rest;
    if (!entry.joined) break;
  }
  return changes.length === 0 ? undefined : { weave: { ...current, done: remaining, undone }, changes };
}

export function redo(weave: Weave): HistoryStep | undefined {
  let [current, remaining, done] = [weave, weave.undone, weave.done];
  const changes: TextChange[] = [];
  while (remaining !== undefined && (changes.length === 0 || remaining.entry.joined)) {
    const { entry, rest } = remaining;
    changes.push(changeOf(current, entry, 'forth'));
    current = applyEntry(current, entry, 'forth');
    done = { entry, rest: done };
    remaining = rest;
  }
  return changes.length === 0 ? undefined : { weave: { ...current, done, undone: remaining }, changes };
}

export function applyEntry(weave: Weave, entry: EditEntry, direction: 'back' | 'forth'): Weave {
  const { from, to, insert } = changeOf(weave, entry, direction);
  const rope = replaceIn(weave.rope, from, to, insert);
  if (entry.index === BUFFER) return { ...weave, rope };
  const ranges = direction === 'back' ? entry.before : entry.after;
  const length = slotAt(weave.slots, entry.index).length + insert.length - (to - from);
  return { ...weave, rope, slots: withSlot(weave.slots, entry.index, ranges ? { length, ranges } : { length }) };
}

/** The rest of a history after nodes were replaced: only the steps newer than any that touched one of them. */
export function keepEntriesWhere(history: EditHistory, isKept: (index: number) => boolean): EditHistory {
  const entries: EditEntry[] = [];
  for (let step = history; step !== undefined; step = step.rest) {
    if (step.entry.index !== BUFFER && !isKept(step.entry.index)) break;
    entries.push(step.entry);
  }
  return entries.reduceRight<EditHistory>((rest, entry) => ({ entry, rest }), undefined);
}

function changeOf(weave: Weave, { index, at, removed, inserted }: EditEntry, direction: 'back' | 'forth'): TextChange {
  const from = startOf(weave.slots, index === BUFFER ? weave.slots.count : index) + at;
  return direction === 'forth'
    ? { from, to: from + removed.length, insert: inserted }
    : { from, to: from + inserted.length, insert: removed };
}
