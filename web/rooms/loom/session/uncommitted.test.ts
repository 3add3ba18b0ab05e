import { expect, test } from 'vitest';
import { bufferOf, textOf } from '../../../../src/core/loom/weave/weave.ts';
import { restoreChanges, uncommittedChanges } from './uncommitted.ts';

const [one, two, other] = [
  { id: 'n1', text: 'One.' },
  { id: 'n2', text: ' Two.' },
  { id: 'n3', text: ' Other.' },
];
const written = { edits: [], buffer: ' Mine.', count: 2, after: 'n2' };

test('[W9] text written after a node of another branch is offered and stays uncommitted, until it is closed', () => {
  const { weave, strays } = restoreChanges([one, other], written, (node) => node !== 'n2');
  expect(textOf(weave)).toBe('One. Other.');
  expect(strays).toEqual([{ node: 'n2', original: '', current: ' Mine.', ranges: [] }]);
  const again = restoreChanges([one, other], uncommittedChanges(weave, strays), () => true);
  expect(again.strays).toMatchObject(strays);
  expect(uncommittedChanges(weave, []).edits).toEqual([]);
});

test('[W9] text stays at the end of its branch when the branch has grown, or has another version of its last node', () => {
  const longer = restoreChanges([one, two, other], written, () => true);
  expect([bufferOf(longer.weave), longer.strays]).toEqual([' Mine.', []]);
  const edited = restoreChanges([one, { id: 'n4', text: ' 2.' }], written, () => true);
  expect(textOf(edited.weave)).toBe('One. 2. Mine.');
});
