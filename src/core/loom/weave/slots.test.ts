import { expect, test } from 'vitest';
import {
  allSlots,
  firstPending,
  pendingSlots,
  pushSlot,
  type Slot,
  slotAt,
  slotAtOffset,
  slotsOf,
  startOf,
  withSlot,
} from './slots.ts';

test('[W8] slots added one by one equal slots created at once, at every tree width', () => {
  const list: Slot[] = [];
  let slots = slotsOf(list);
  for (let i = 0; i < 1100; i++) {
    const slot = { length: i % 3 };
    list.push(slot);
    slots = pushSlot(slots, slot);
    if (i % 31 < 3) expect(slots).toEqual(slotsOf(list));
  }
  expect(allSlots(slots)).toEqual(list);
});

test('[W8] every offset belongs to the slot that the summed lengths give', () => {
  const list = Array.from({ length: 1100 }, (_, i): Slot => ({ length: (i * 7) % 4 }));
  const slots = slotsOf(list);
  let start = 0;
  for (const [index, { length }] of list.entries()) {
    if (startOf(slots, index) !== start) throw new Error(`slot ${index} does not start at ${start}`);
    for (let at = start; at < start + length; at++) expect(slotAtOffset(slots, at)).toEqual({ index, start });
    start += length;
  }
  expect(slotAtOffset(slots, start)).toEqual({ index: 1100, start });
});

test('[W10] pending slots are found in order, and earlier slots stay unchanged', () => {
  const before = slotsOf(Array.from({ length: 1100 }, () => ({ length: 1 })));
  const marked = [3, 31, 32, 700, 1024, 1099];
  const after = marked.reduce((slots, index) => withSlot(slots, index, { length: 2, ranges: [] }), before);
  expect(pendingSlots(after)).toEqual(marked);
  expect(firstPending(after, 33, 700)).toBeUndefined();
  expect(firstPending(after, 33, 701)).toBe(700);
  expect([startOf(after, 1100), slotAt(after, 700).length]).toEqual([1106, 2]);
  expect(pendingSlots(before)).toEqual([]);
});
