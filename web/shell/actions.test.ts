import { expect, test } from 'vitest';
import { EVERYWHERE, findAction, formatKey, keyName, mergeGroups } from './actions.ts';

const nothing = () => {};

test('[I32] what can be done here comes before what can be done everywhere, parts of one place together', () => {
  const all = mergeGroups([
    { label: EVERYWHERE, actions: [{ name: 'Keys', keys: ['?'], act: nothing }] },
    { label: 'This thread', actions: [{ name: 'Reply', keys: ['r'], act: nothing }] },
    { label: 'This thread', actions: [{ name: 'Write', keys: ['c'], act: nothing }] },
  ]);
  expect(all.map(({ label: where, actions }) => [where, actions.map(({ name }) => name)])).toEqual([
    ['This thread', ['Reply', 'Write']],
    [EVERYWHERE, ['Keys']],
  ]);
});

test('[I32] what cannot be done now is not offered and its key does nothing', () => {
  const all = mergeGroups([
    { label: 'This dialogue', actions: [{ name: 'Accept', keys: ['a'], act: nothing, when: false }] },
  ]);
  expect(all).toEqual([]);
  expect(findAction('a', all)).toBeUndefined();
});

test('[I32] a key means what the room says before what the frame says, and nothing an editor hears itself', () => {
  const all = mergeGroups([
    { label: EVERYWHERE, actions: [{ name: 'New', keys: ['n'], act: nothing }] },
    {
      label: 'This loom',
      actions: [
        { name: 'Note', keys: ['n'], act: nothing },
        { name: 'Undo', keys: ['Ctrl+z'], act: nothing, heard: 'elsewhere' },
        { name: 'Send', keys: ['Enter'] },
      ],
    },
  ]);
  expect(findAction('n', all)?.name).toBe('Note');
  expect(findAction('Ctrl+z', all)).toBeUndefined();
  expect(findAction('Enter', all)).toBeUndefined();
});

test('[I32] keys have one name and one way of being read', () => {
  const plain = { ctrlKey: false, metaKey: false, altKey: false };
  expect(keyName({ ...plain, key: 'K', ctrlKey: true })).toBe('Ctrl+k');
  expect(keyName({ ...plain, key: 'k', metaKey: true })).toBe('Ctrl+k');
  expect(keyName({ ...plain, key: 'j', altKey: true })).toBe('');
  expect(['Ctrl+k', 'ArrowDown', 'Escape', 'r', 'B', 'Alt ↓'].map(formatKey)).toEqual([
    'Ctrl K',
    '↓',
    'Esc',
    'r',
    'Shift B',
    'Alt ↓',
  ]);
});
