import { expect, test } from 'vitest';
import { joinClusters } from './pool.ts';

test('[I13] the panel lists thoughts in order with their newest cluster, and drops those that fell out of the pool', () => {
  const thought = (id: number) => ({ id, iter: id, text: `thought ${id}`, active: true });
  const timeline = [
    {
      iter: 2,
      thoughts: [
        { id: 2, cluster: 1 },
        { id: 3, cluster: null },
      ],
    },
  ];
  expect(joinClusters([thought(3), thought(1), thought(2)], { timeline } as never)).toEqual([
    { ...thought(2), cluster: 1 },
    { ...thought(3), cluster: null },
  ]);
});
