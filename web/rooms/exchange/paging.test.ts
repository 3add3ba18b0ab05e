import { expect, test } from 'vitest';
import { loadUntilRound, mergeNewest } from './paging.ts';

interface Item {
  readonly entry: number;
  readonly round: number;
}
const item = (entry: number): Item => ({ entry, round: Math.ceil(entry / 3) });
const down = (from: number, count: number) =>
  Array.from({ length: Math.max(0, Math.min(from, count)) }, (_, i) => item(from - i));
const numberOf = ({ entry }: Item) => entry;

test('[I14] what was said is read down to the round that is shown, without gap or repeat, however much it is', async () => {
  const asked: (number | undefined)[] = [];
  const older = async (last: Item | undefined) => {
    asked.push(last?.entry);
    return down(last ? last.entry - 1 : 5000, 1000);
  };
  const all = await loadUntilRound(down(5000, 160), 500, older);
  expect(all.map(numberOf)).toEqual(down(5000, 5000 - numberOf(all.at(-1) as Item) + 1).map(numberOf));
  expect(all.at(-1)?.round).toBeLessThan(500);
  expect(asked).toEqual([4841, 3841, 2841, 1841]);
  expect((await loadUntilRound([], 1, older)).map(numberOf)).toEqual(down(5000, 5000).map(numberOf));
});

test('[I14] what is read again keeps what is further back, and leaves no gap where it does not reach', () => {
  expect(mergeNewest(down(12, 5), down(10, 8), numberOf).map(numberOf)).toEqual(down(12, 10).map(numberOf));
  expect(mergeNewest(down(30, 5), down(10, 8), numberOf)).toEqual(down(30, 5));
  expect(mergeNewest(down(3, 5), [], numberOf)).toEqual(down(3, 5));
  expect(mergeNewest([], down(3, 5), numberOf)).toEqual([]);
});
