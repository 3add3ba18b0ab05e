import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ThoughtClustered } from './events.ts';
import { type Assignment, clusterOf, membersOf, topCluster, totalsOf } from './members.ts';
import {
  activeSizes,
  activeThoughts,
  addThoughts,
  ageOf,
  assign,
  emptyPool,
  isActive,
  type ThoughtPool,
  thoughtOf,
} from './state.ts';

const addThoughtsTo = (pool: ThoughtPool, iter: number, ...texts: string[]): ThoughtPool =>
  addThoughts(
    pool,
    texts.map((text) => ({ iter, text, author: 'mind' })),
  );

function poolOfSize(count: number, activeSize = 50): ThoughtPool {
  let pool: ThoughtPool = { ...emptyPool, activeSize };
  for (let i = 1; i <= count; i++) pool = addThoughtsTo(pool, i, `thought ${i}`);
  return pool;
}

const place = (pool: ThoughtPool, ...pairs: [number, number | null][]): ThoughtPool =>
  pairs.reduce((next, [thought, cluster]) => assign(next, { thought, cluster }), pool);

describe('the pool', () => {
  test('[D23] the active pool is the last 50 thoughts, and older ones stay known', () => {
    const pool = poolOfSize(60);
    expect(activeThoughts(pool).map(({ id }) => id)).toEqual(Array.from({ length: 50 }, (_, i) => i + 11));
    expect([isActive(pool, 10), isActive(pool, 11), isActive(pool, 60), isActive(pool, 61)]).toEqual([
      false,
      true,
      true,
      false,
    ]);
    expect(thoughtOf(pool, 1)?.text).toBe('thought 1');
    expect([thoughtOf(pool, 0), thoughtOf(pool, -1), thoughtOf(pool, 61)]).toEqual([undefined, undefined, undefined]);
  });

  test('[D24] age is counted in iterations, and a repeated thought counts again', () => {
    const pool = addThoughtsTo(
      addThoughtsTo(addThoughtsTo(emptyPool, 3, 'the same'), 7, 'other', 'the same'),
      9,
      'the same',
    );
    expect(activeThoughts(pool).map((thought) => ageOf(thought, 10))).toEqual([7, 3, 3, 1]);
    expect(
      activeThoughts(pool)
        .filter(({ text }) => text === 'the same')
        .map(({ id }) => id),
    ).toEqual([1, 3, 4]);
  });

  test('[D26] cluster sizes count active members, with the total given separately', () => {
    const pool = place(poolOfSize(6, 3), [1, 1], [2, 1], [5, 1], [6, 2], [4, null]);
    expect([...activeSizes(pool)]).toEqual([
      [1, 1],
      [2, 1],
    ]);
    expect(totalsOf(pool.members, 1)).toMatchObject({ count: 3, first: 1, last: 5 });
    expect([clusterOf(pool.members, 4), clusterOf(pool.members, 3)]).toEqual([null, undefined]);
  });

  test('[D26] an assignment is an event; a cluster is permanent, noise is not', () => {
    const content = { thought: 1, cluster: 4, embedder: 'local' };
    expect(ThoughtClustered.type).toBe('thought.clustered');
    expect(ThoughtClustered.schema.safeParse(content).success).toBe(true);
    for (const bad of [{ cluster: 0 }, { cluster: 1.5 }, { thought: -1 }, { embedder: '' }, { more: 1 }])
      expect(ThoughtClustered.schema.safeParse({ ...content, ...bad }).success).toBe(false);
    const pool = assign(place(poolOfSize(2), [1, null]), content);
    expect(clusterOf(pool.members, 1)).toBe(4);
    expect(place(pool, [1, 5], [1, null], [3, 1], [0, 1])).toBe(pool);
  });

  test('[L1] every earlier pool stays unchanged and survives JSON', () => {
    const step = fc.record({
      on: fc.nat(),
      thought: fc.integer({ min: 0, max: 13 }),
      cluster: fc.option(fc.integer({ min: 1, max: 4 })),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), fc.boolean(), (steps, reload) => {
        const start = poolOfSize(12);
        const pasts: { pool: ThoughtPool; plain: readonly Assignment[] }[] = [{ pool: start, plain: [] }];
        for (const { on, thought, cluster } of steps) {
          const { pool, plain } = pasts[on % pasts.length]!;
          const from: ThoughtPool = reload ? JSON.parse(JSON.stringify(pool)) : pool;
          const existing = plain.findLast((one) => one.thought === thought);
          const isNew = thought >= 1 && thought <= 12 && !existing?.cluster && (!existing || cluster !== null);
          pasts.push({
            pool: assign(from, { thought, cluster }),
            plain: isNew ? [...plain, { thought, cluster }] : plain,
          });
        }
        for (const { pool, plain } of pasts) {
          expect(JSON.parse(JSON.stringify(pool.members))).toEqual(plain);
          expect(topCluster(pool.members)).toBe(Math.max(0, ...plain.map(({ cluster }) => cluster ?? 0)));
          for (let id = 1; id <= 12; id++)
            expect(clusterOf(pool.members, id)).toBe(plain.findLast(({ thought }) => thought === id)?.cluster);
          for (const cluster of [1, 2, 3, 4]) {
            const members = plain.filter((one) => one.cluster === cluster).map(({ thought }) => thought);
            expect([...membersOf(pool.members, cluster)]).toEqual(members.toReversed());
            expect(totalsOf(pool.members, cluster)?.count ?? 0).toBe(members.length);
          }
        }
      }),
    );
  });
});
