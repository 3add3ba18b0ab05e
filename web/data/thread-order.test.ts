import { expect, test } from 'vitest';
import type { ThreadRow } from '../../src/client/index.ts';
import { sortThreads } from './thread-order.ts';

function row(id: string, at: number, more: Partial<ThreadRow> = {}): ThreadRow {
  const ts = new Date(Date.UTC(2026, 0, 1, 0, at)).toISOString();
  return {
    id,
    title: id,
    kind: 'conversation',
    creator: 'human',
    created: ts,
    done: false,
    paused: false,
    last: { ts, from: 'human', cursor: '' },
    ...more,
  };
}

const order = (rows: ThreadRow[], open?: string) =>
  sortThreads(rows, open).map(({ row, depth }) => '  '.repeat(depth) + row.id);

test('[I12] the most recent first, side channels under their parent', () => {
  const rows = [row('old', 1), row('garden', 2), row('side', 9, { side_of: 'garden' }), row('new', 5)];
  expect(order(rows)).toEqual(['garden', '  side', 'new', 'old']);
});

test('[T11] a closed side channel is listed only while it is open in the room', () => {
  const rows = [row('garden', 2), row('side', 9, { side_of: 'garden', done: true })];
  expect(order(rows)).toEqual(['garden']);
  expect(order(rows, 'side')).toEqual(['garden', '  side']);
});

test('[T32] an archived thread and its side channels are listed only while they are open in the room', () => {
  const rows = [
    row('garden', 2),
    row('attic', 5, { archived: true }),
    row('side', 9, { side_of: 'attic' }),
    row('self', 1, { side_of: 'self', archived: true }),
  ];
  expect(order(rows)).toEqual(['garden']);
  expect(order(rows, 'attic')).toEqual(['attic', 'garden']);
  expect(order(rows, 'side')).toEqual(['side', 'garden']);
});

test('[I12] a side channel of a side channel is under it, and one whose parent is unknown stands alone', () => {
  const rows = [
    row('a', 1),
    row('b', 2, { side_of: 'a' }),
    row('c', 3, { side_of: 'b' }),
    row('d', 4, { side_of: 'gone' }),
  ];
  expect(order(rows)).toEqual(['d', 'a', '  b', '    c']);
});
