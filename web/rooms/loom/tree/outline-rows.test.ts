import { expect, test } from 'vitest';
import { outlineRows } from './outline-rows.ts';

/** 1 has 2, 3 and 4; the path goes 1, 3; 3 has 5 (on the path) and 6; 2 has 7 and 8. */
const tree = { parent: [0, 1, 1, 1, 3, 3, 2, 2], flags: [1, 0, 1, 0, 1, 0, 0, 0], path: [1, 3, 5] };
const lines = (opened: readonly number[] = [], root = 0) =>
  outlineRows(tree, root, new Set(opened)).map(
    ({ place, depth, number }) => `${'  '.repeat(depth)}${place}${number ? ` (${number})` : ''}`,
  );

test('[I15] the outline has the path down its left edge, and below each node what was not taken', () => {
  expect(lines()).toEqual(['1', '  2', '  4', '3', '  6 (2)', '5 (1)']);
});

test('[I15] a branch that was not taken shows what follows it when it is opened', () => {
  expect(lines([2])).toEqual(['1', '  2', '    7', '    8', '  4', '3', '  6 (2)', '5 (1)']);
  expect(outlineRows(tree, 0, new Set([2])).find(({ place }) => place === 2)).toMatchObject({
    hidden: 2,
    isOpen: true,
  });
});

test('[W22] hoisted, the outline begins with the node', () => {
  expect(lines([], 3)).toEqual(['3', '  6 (2)', '5 (1)']);
});

test('[W27] an outline of a very deep loom is made without a stack that overflows', () => {
  const count = 100_000;
  const deep = { parent: Array.from({ length: count }, (_, i) => i), flags: new Array(count).fill(0), path: [] };
  const all = new Set(Array.from({ length: count }, (_, i) => i + 1));
  expect(outlineRows(deep, 0, all)).toHaveLength(count);
});
