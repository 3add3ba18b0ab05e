import { expect, test } from 'vitest';
import { readOrigin } from '../../origin.ts';
import type { ThreadSummary } from './schema.ts';
import { originAddress, trailOf } from './trail.ts';

const row = (id: string, more: Partial<ThreadSummary> = {}): ThreadSummary => ({
  ...{ id, title: id.toUpperCase(), kind: 'conversation', creator: 'ana', created: '', done: false, paused: false },
  ...more,
});
const originIn = (thread: string, link: string) =>
  ({ thread, link, what: 'message', event: 'e1', hash: 'h1' }) as const;

test('[I29] a trail shows all connected threads in both directions, and how they are connected', () => {
  const rows = [
    row('plans'),
    row('verse', {
      kind: 'loom',
      origin: originIn('plans', '/threads/plans#e1'),
    }),
    row('plans2', { forked_from: { thread: 'plans', seq: 3 } }),
    row('aside', {
      side_of: 'plans2',
      brought: [{ from: { ...originIn('verse', '/loom/verse#n2'), what: 'node' }, at: 'e9' }],
    }),
    row('other'),
  ];
  for (const start of ['plans', 'verse', 'plans2', 'aside']) {
    const { threads, steps, more } = trailOf(rows, start);
    expect(threads[0]?.id).toBe(start);
    expect(threads.map(({ id }) => id).sort()).toEqual(['aside', 'plans', 'plans2', 'verse']);
    expect(more).toBe(false);
    expect(steps).toEqual([
      { how: 'opened', from: '/threads/plans#e1', to: '/loom/verse', between: ['plans', 'verse'], what: 'message' },
      { how: 'forked', from: '/threads/plans', to: '/threads/plans2', between: ['plans', 'plans2'] },
      { how: 'side', from: '/threads/plans2', to: '/threads/aside', between: ['plans2', 'aside'] },
      { how: 'brought', from: '/loom/verse#n2', to: '/threads/aside#e9', between: ['verse', 'aside'], what: 'node' },
    ]);
  }
  expect(trailOf(rows, 'other')).toMatchObject({ threads: [{ id: 'other' }], steps: [] });
});

test('[I29] a trail is limited, stops at missing threads and handles circles', () => {
  const many = Array.from({ length: 300 }, (_, i) => row(`t${i}`, i ? { side_of: `t${i - 1}` } : {}));
  expect(trailOf(many, 't0')).toMatchObject({ more: true });
  expect(trailOf(many, 't0').threads).toHaveLength(100);
  const circle = [
    row('a', { origin: originIn('b', '/loom/b') }),
    row('b', { kind: 'loom', brought: [{ from: originIn('a', '/threads/a#e'), at: 'n' }] }),
    row('c', { origin: originIn('gone', '/threads/gone#e') }),
  ];
  expect(trailOf(circle, 'a').threads.map(({ id }) => id)).toEqual(['a', 'b']);
  expect(trailOf(circle, 'c')).toMatchObject({ threads: [{ id: 'c' }], steps: [] });
  expect(trailOf(circle, 'nowhere')).toEqual({ threads: [], steps: [], more: false });
});

test('[I29] [L3] an origin in an imported event never leads outside the workspace', () => {
  const hostile = (link: unknown) => ({ ...originIn('a', ''), link }) as never;
  expect(readOrigin({ thread: 'a' })).toBeUndefined();
  expect(readOrigin(null)).toBeUndefined();
  expect(readOrigin(hostile(5))).toBeUndefined();
  for (const link of ['javascript:alert(1)', 'https://elsewhere.example/x', '//elsewhere.example/threads/a', '']) {
    expect(originAddress({ link }), link).toBe('/');
  }
  expect(originAddress({ link: 'https://elsewhere.example/threads/a#e1' })).toBe('/threads/a#e1');
  const rows = [row('a'), row('b', { origin: hostile('javascript:alert(1)') })];
  expect(trailOf(rows, 'a').steps).toMatchObject([{ from: '/', to: '/threads/b' }]);
});
