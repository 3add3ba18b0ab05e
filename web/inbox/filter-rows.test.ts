import { expect, test } from 'vitest';
import type { ThreadRow } from '../../src/client/index.ts';
import { filterRows, splitPinned, tagsOf } from './filter-rows.ts';

const row = (id: string, title: string, more: Partial<ThreadRow> = {}) =>
  ({ id, title, kind: 'conversation', done: false, last: { ts: id }, ...more }) as ThreadRow;
const rows = [row('1', 'Garden plan'), row('2', 'Garden bills'), row('3', 'Lake', { kind: 'dialogue' })];
rows.push(row('4', 'Old garden', { archived: true, tags: ['plants'] }));
const facts = { unread: new Map([['1', 2]]), urgent: new Set(['2']) };
const found = (filter: Parameters<typeof filterRows>[1]) =>
  filterRows(rows, filter, facts).map(({ row: { id } }) => id);

test('[C11] the list of a kind has its threads, the most recently active first', () => {
  expect(found({ kind: undefined, words: '' })).toEqual(['3', '2', '1']);
  expect(found({ kind: 'conversation', words: '' })).toEqual(['2', '1']);
});

test('[I31] a list is filtered by words of the title, by what is new and by what needs you', () => {
  expect(found({ kind: undefined, words: ' PLAN gar' })).toEqual(['1']);
  expect(found({ kind: undefined, words: 'plan lake' })).toEqual([]);
  expect(found({ kind: undefined, words: '', unread: true })).toEqual(['1']);
  expect(found({ kind: undefined, words: 'garden', needsYou: true })).toEqual(['2']);
});

test('[T32] archived threads are listed when they are asked for, and nothing else then', () => {
  expect(found({ kind: undefined, words: '', archived: true })).toEqual(['4']);
});

test('[I31] a list is filtered by a tag', () => {
  const tagged = [...rows, row('5', 'Peas', { tags: ['plants', 'spring'] })];
  const filter = { kind: undefined, words: '', tag: 'plants' };
  expect(filterRows(tagged, filter, facts).map(({ row: { id } }) => id)).toEqual(['5']);
  expect(tagsOf(tagged)).toEqual(['plants', 'spring']);
});

test('[T34] pinned threads stand first, in the order of the pins, each with its side channels', () => {
  const all = [...rows, row('6', 'Aside', { side_of: '1' })];
  const { pinned, others } = splitPinned(filterRows(all, { kind: undefined, words: '' }, facts), ['3', 'gone', '1']);
  expect(pinned.map(({ row: { id } }) => id)).toEqual(['3', '1', '6']);
  expect(others.map(({ row: { id } }) => id)).toEqual(['2']);
});
