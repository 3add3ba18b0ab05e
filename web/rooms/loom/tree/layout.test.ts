import { expect, test } from 'vitest';
import { layoutTree, placeNear, placesInRow } from './layout.ts';

const tree = (parent: number[], flags: number[] = parent.map(() => 0)) => ({ parent, flags });

test('[W23] a lane for each leaf, a row for each step, each place between its first and its last child', () => {
  // 1 has 2 and 3; 2 has 4.
  const layout = layoutTree(tree([0, 1, 1, 2]));
  expect([...layout.lane]).toEqual([0.5, 0.5, 0, 1, 0]);
  expect([...layout.row]).toEqual([0, 1, 2, 2, 3]);
  expect(layout).toMatchObject({ count: 4, lanes: 2, depth: 3 });
  expect([...placesInRow(layout, 2, 0, 9)]).toEqual([2, 3]);
  expect([...placesInRow(layout, 2, 1, 1)]).toEqual([3]);
  expect(placeNear(layout, 1.2, 1.9)).toBe(3);
  expect(placeNear(layout, 5, 2)).toBeUndefined();
});

test('[W20] [W23] after a split the path is one line: what follows hangs below the half that is on it', () => {
  // 2 was split into 4 and 5; 3 follows it, and 6 follows 3.
  const shares = [{ place: 5, with: 2 }];
  const parents = [0, 1, 2, 1, 4, 3];
  const layout = layoutTree({ ...tree(parents, [1, 0, 1, 1, 1, 1]), shares });
  expect([...layout.parent]).toEqual([-1, 0, 1, 5, 1, 4, 3]);
  expect([...layout.row]).toEqual([0, 1, 2, 4, 2, 3, 5]);
  expect(layout).toMatchObject({ count: 6, lanes: 2, depth: 5 });
  expect([1, 4, 5, 3, 6].map((place) => layout.lane[place])).toEqual([0.5, 1, 1, 1, 1]);
  const before = layoutTree({ ...tree(parents, [1, 1, 1, 0, 0, 1]), shares });
  expect(before.parent[3]).toBe(2);
});

test('[W22] hoisted, only what follows is laid out; what is pruned is not, with all that follows it', () => {
  const hoisted = layoutTree(tree([0, 1, 1, 2]), 2);
  expect([...hoisted.row]).toEqual([-1, -1, 0, -1, 1]);
  const pruned = layoutTree(tree([0, 1, 1, 2], [0, 2, 0, 0]));
  expect([...pruned.row]).toEqual([0, 1, -1, 2, -1]);
});

test('[W23] [W27] no place over another, in a tree of 100,000, however deep', () => {
  let seed = 7;
  const random = () => {
    seed = (seed * 1103515245 + 12345) % 2147483648;
    return seed / 2147483648;
  };
  const parents = Array.from({ length: 100_000 }, (_, i) => (random() < 0.7 ? i : Math.floor(random() * i)));
  const layout = layoutTree(tree(parents));
  const seen = new Set<number>();
  for (let place = 0; place <= 100_000; place++) seen.add(layout.row[place]! * 1_000_000 + layout.lane[place]!);
  expect(seen.size).toBe(100_001);
  const chain = layoutTree(tree(Array.from({ length: 1_000_000 }, (_, i) => i)));
  expect(chain).toMatchObject({ lanes: 1, depth: 1_000_000 });
});
