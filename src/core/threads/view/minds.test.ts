import { expect, test } from 'vitest';
import { nameMinds } from './minds.ts';
import type { ThreadMind } from './schema.ts';

const mind = (id: string, model?: string): ThreadMind => ({ id, role: 'mind', ...(model && { model }) });

function names(minds: readonly ThreadMind[], others?: readonly string[]) {
  const named = nameMinds(minds, (role) => (role === 'auditor' ? 'owl' : 'wren'), others);
  return Object.fromEntries(Object.entries(named).map(([id, { name }]) => [id, name]));
}

test('[T37] a mind that nobody named is called by its model', () => {
  expect(names([mind('mind_0', 'heron')])).toEqual({ mind_0: 'heron' });
  expect(names([mind('mind_0')])).toEqual({ mind_0: 'wren' });
});

test('[T37] several minds of one model are told apart by a number', () => {
  expect(names([mind('mind_0'), mind('mind_1', 'heron'), mind('mind_2', 'wren')])).toEqual({
    mind_0: 'wren 1',
    mind_1: 'heron',
    mind_2: 'wren 2',
  });
});

test('[T37] a mind with a name of its own keeps it, and so does the auditor', () => {
  expect(names([mind('iris', 'heron'), mind('mind_1', 'heron'), { id: 'auditor', role: 'auditor' }])).toEqual({
    iris: 'iris',
    mind_1: 'heron',
    auditor: 'auditor',
  });
});

test('[T37] no mind is shown under the name of somebody else in the thread', () => {
  expect(names([mind('mind_0', 'ada')], ['ada'])).toEqual({ mind_0: 'mind_0' });
  expect(names([mind('heron', 'x'), mind('mind_1', 'heron')])).toEqual({ heron: 'heron', mind_1: 'mind_1' });
});
