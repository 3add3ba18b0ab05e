import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { append, type GrowingList } from './growing-list.ts';

describe('a growing list', () => {
  test('[L14] a growing list reads like an array and converts to JSON and back', () => {
    const list = append<number>([], 1, 2, 3);
    expect([...list]).toEqual([1, 2, 3]);
    expect([list.length, list.at(0), list.at(-1), list.at(3), list.at(-4)]).toEqual([3, 1, 3, undefined, undefined]);
    const restored = JSON.parse(JSON.stringify({ list })).list as GrowingList<number>;
    expect(restored).toEqual([1, 2, 3]);
    expect([...append(restored, 4)]).toEqual([1, 2, 3, 4]);
    expect(restored).toHaveLength(3);
  });

  test('[L1] an earlier list never changes, whatever is appended later', () => {
    const step = fc.record({ on: fc.nat(), items: fc.array(fc.integer(), { maxLength: 3 }) });
    const bound = fc.integer({ min: -12, max: 12 });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), bound, bound, (steps, from, to) => {
        const handles: { list: GrowingList<number>; plain: readonly number[] }[] = [{ list: [], plain: [] }];
        for (const { on, items } of steps) {
          const { list, plain } = handles[on % handles.length]!;
          handles.push({ list: append(list, ...items), plain: [...plain, ...items] });
        }
        for (const { list, plain } of handles) {
          expect([...list]).toEqual(plain);
          expect(list).toHaveLength(plain.length);
          expect(list.slice(from, to)).toEqual(plain.slice(from, to));
          expect(list.at(from)).toBe(plain.at(from));
          expect(JSON.stringify(list)).toBe(JSON.stringify(plain));
        }
      }),
    );
  });

  test('[L1] a hundred thousand appends at the end copy nothing', () => {
    let list: GrowingList<number> = [];
    for (let i = 0; i < 100_000; i++) list = append(list, i);
    expect([list.length, list.at(-1)]).toEqual([100_000, 99_999]);
  });
});
