import { expect, test } from 'vitest';
import { createIdShortener, findThread } from './find.ts';

const rows = [
  { id: '01AAAAAAAAAAAAAAAAAAAAAAA1', title: 'Garden' },
  { id: '01AAAAAAAAAAAAAAAAAAAAAAB2', title: 'Twin' },
  { id: '01BBBBBBBBBBBBBBBBBBBBBBB2', title: 'Twin' },
];

test('[C10] a thread is named by its id, a part of it that is its own, or its exact title', () => {
  expect(findThread(rows, '01AAAAAAAAAAAAAAAAAAAAAAA1').title).toBe('Garden');
  expect(findThread(rows, 'Garden').id).toBe(rows[0]?.id);
  expect(findThread(rows, 'aa1').title).toBe('Garden');
  expect(findThread(rows, '01bb')).toBe(rows[2]);
});

test('[C10] a name that fits none or several is refused, with the choice', () => {
  expect(() => findThread(rows, 'garden')).toThrow('Did you mean "Garden"?');
  expect(() => findThread(rows, 'Gadren')).toThrow('Did you mean "Garden"?');
  expect(() => findThread(rows, 'Cellar')).toThrow('"heddle threads" lists them.');
  expect(() => findThread(rows, 'Twin')).toThrow('matches 2 threads');
  expect(() => findThread(rows, '01AA')).toThrow('matches 2 threads');
  expect(() => findThread(rows, '')).toThrow('There is no thread');
});

test('[C10] ids are shown as short as they can be told apart', () => {
  const short = createIdShortener(rows.map(({ id }) => id));
  expect(new Set(rows.map(({ id }) => short(id))).size).toBe(3);
  for (const { id } of rows) expect(findThread(rows, short(id)).id).toBe(id);
});
