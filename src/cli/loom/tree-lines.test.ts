import { expect, test } from 'vitest';
import { type LoomTreeColumns, treeLines } from './tree-lines.ts';

/** By parent, the root being 0; the path is what was named. */
function columns(
  parents: readonly number[],
  path: readonly number[],
  more: Partial<LoomTreeColumns> = {},
): LoomTreeColumns {
  const each = <T>(make: (place: number) => T) => parents.map((_, i) => make(i + 1));
  return {
    total: parents.length,
    node: each((place) => `node-${String(place).padStart(7, '0')}`),
    parent: [...parents],
    author: each(() => 'ana'),
    versions: each(() => 1),
    preview: each((place) => `text ${place}`),
    length: each(() => 6),
    flags: each((place) => (path.includes(place) ? 1 : 0)),
    marked: [],
    shares: [],
    path: [...path],
    ...more,
  };
}

function shown(given: LoomTreeColumns, folding: Partial<Parameters<typeof treeLines>[1]> = {}): string[] {
  const lines = treeLines(given, { all: false, at: undefined, maxLines: 200, ...folding });
  return lines.map(({ trunk, text, note }) => `${trunk}${text} | ${note}`);
}

test('[C9] the path is a trunk; what leaves it is a line with how much follows', () => {
  //      1 ─┬─ 2 ── 5 ── 6 ─┬─ 7
  //         ├─ 3            └─ 8
  //         └─ 4 ─┬─ 9
  //               └─ 10
  const tree = columns([0, 1, 1, 1, 2, 5, 6, 6, 4, 4], [1, 2, 5, 6, 7]);
  expect(shown(tree)).toEqual([
    '● text 1 | ana',
    '├─○ text 3 | ana',
    '├─○ text 4 | 2 more below, ana',
    '● text 2 … text 6 | 3 in a row, ana',
    '├─○ text 8 | ana',
    '● text 7 | ana',
  ]);
  expect(shown(tree, { all: true })).toContain('├───○ text 9 | ana');
  expect(shown(tree, { at: 4 })).toEqual(['○ text 4 | ana', '├─○ text 10 | ana', '○ text 9 | ana']);
  const marked = columns([0], [1], { marked: [{ place: 1, bookmark: 'b\u001b', tags: ['x'] }], versions: [3] });
  expect(shown(marked)).toEqual(['● text 1 | 3 versions, ★ b␛, #x, ana']);
});

test('[W20] what a split shares is shown once: below the half that is on the path', () => {
  // 1 ── 2 ── 3, and 2 split into 4 ── 5, which 3 follows as well.
  const tree = columns([0, 1, 2, 1, 4], [1, 4, 5, 3], { shares: [{ place: 5, with: 2 }] });
  expect(shown(tree)).toEqual(['● text 1 | ana', '├─○ text 2 | ana', '● text 4 … text 3 | 3 in a row, ana']);
});

test('[W27] [C9] 100,000 nodes, deep or wide, fold to a screen', () => {
  const count = 100_000;
  const chain = columns(
    Array.from({ length: count }, (_, i) => i),
    [],
    { path: Array.from({ length: count }, (_, i) => i + 1), flags: Array.from({ length: count }, () => 1) },
  );
  expect(shown(chain)).toEqual(['● text 1 … text 100000 | 100,000 in a row, ana']);
  const wide = columns(
    Array.from({ length: count }, (_, i) => (i === 0 ? 0 : 1)),
    [1, 2],
  );
  expect(shown(wide).at(-2)).toBe('├─⋮ 99,992 more branches with 99,992 nodes | ');
  // A branch at every step of a path of 50,000.
  const comb = columns(
    Array.from({ length: count }, (_, i) => (i < 2 ? 0 : (i % 2 === 0 ? i : i - 1) - 1)),
    [],
    { path: Array.from({ length: count / 2 }, (_, i) => 2 * i + 1) },
  );
  const lines = shown(comb);
  expect(lines.length).toBeLessThan(210);
  expect(lines[0]).toMatch(/^⋮ .* rows before this/);
  expect(lines.at(-1)).toMatch(/text 99999/);
});
