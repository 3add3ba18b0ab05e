import { describe, expect, test } from 'vitest';
import { drawTopics } from '../../../test/support/domain/clusters.ts';
import { projectToMap } from './map.ts';
import { addThoughts, assign, emptyPool, type ThoughtPool } from './state.ts';
import { clusterShares, clusterTable, clusterTimeline, viewThought } from './view.ts';

const thoughts: [iter: number, text: string, cluster?: number | null][] = [
  [1, 'the sea is wide', 1],
  [1, 'bread needs time', 2],
  [2, 'waves again', 1],
  [4, 'a stray note', null],
  [4, 'one two three four five six seven eight nine', 1],
  [5, 'not looked at yet'],
];

const pool: ThoughtPool = thoughts.reduce(
  (next, [iter, text, cluster], i) => {
    const added = addThoughts(next, [{ iter, text, author: 'mind' }]);
    return cluster === undefined ? added : assign(added, { thought: i + 1, cluster });
  },
  { ...emptyPool, activeSize: 4 },
);

describe('views of the pool', () => {
  test('[D27] the cluster table shows sizes, iterations and the beginning of the last thought', () => {
    expect(clusterTable(pool)).toEqual({
      clusters: [
        { id: 1, active: 2, total: 3, first: 1, last: 4, label: 'one two three four five six seven eight …' },
        { id: 2, active: 0, total: 1, first: 1, last: 1, label: 'bread needs time' },
      ],
      noise: 1,
      waiting: 1,
    });
    expect(clusterTable(emptyPool)).toEqual({ clusters: [], noise: 0, waiting: 0 });
  });

  test('[D27] the timeline shows which cluster spoke when, and gives the shares of any part', () => {
    const moments = clusterTimeline(pool, 5);
    expect(moments.map(({ iter, thoughts }) => [iter, thoughts.map(({ cluster }) => cluster)])).toEqual([
      [1, [2]],
      [2, [1]],
      [4, [null, 1]],
      [5, [null]],
    ]);
    expect([...clusterShares(moments)]).toEqual([
      [2, 0.2],
      [1, 0.4],
    ]);
    expect([...clusterShares(moments.filter(({ iter }) => iter >= 4))]).toEqual([[1, 1 / 3]]);
    expect([...clusterShares([])]).toEqual([]);
  });

  test('[D27] every thought leads to its iteration', () => {
    const view = { id: 3, iter: 2, text: 'waves again', author: 'mind', age: 8, active: true, cluster: 1 };
    expect(viewThought(pool, 3, 10)).toEqual(view);
    expect(viewThought(pool, 1, 10)).toMatchObject({ iter: 1, active: false });
    expect(viewThought(pool, 7, 10)).toBeUndefined();
  });

  test('[D27] the map keeps topics together, is deterministic and stays within its frame', () => {
    const topic = { size: 20, stray: 0.4, directions: 30 };
    const vectors = drawTopics({ topics: [topic, topic, topic], inTurn: true }, 1);
    const points = projectToMap(vectors);
    expect(projectToMap(vectors)).toEqual(points);
    for (const { x, y } of points) expect(Math.max(Math.abs(x), Math.abs(y))).toBeLessThanOrEqual(1);
    const middles = [0, 20, 40].map((from) => middleOf(points.slice(from, from + 20)));
    points.forEach((point, i) => {
      const nearest = middles.map((middle) => Math.hypot(point.x - middle.x, point.y - middle.y));
      expect(nearest.indexOf(Math.min(...nearest))).toBe(Math.floor(i / 20));
    });
    expect(projectToMap([])).toEqual([]);
    expect(projectToMap(vectors.slice(0, 1))).toEqual([{ x: 0, y: 0 }]);
  });
});

function middleOf(points: readonly { readonly x: number; readonly y: number }[]) {
  const mean = (values: readonly number[]) => values.reduce((a, b) => a + b, 0) / values.length;
  return { x: mean(points.map(({ x }) => x)), y: mean(points.map(({ y }) => y)) };
}
