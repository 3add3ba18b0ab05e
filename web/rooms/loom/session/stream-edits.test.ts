import { expect, test } from 'vitest';
import { streamNodeId } from './outbox.ts';
import { createStreamEdits, trimHalfPair } from './stream-edits.ts';
import { trimChange } from './trim-change.ts';

test('[W16] an edit of a text that is still being written keeps what arrives later', () => {
  const edits = createStreamEdits();
  const streaming = streamNodeId('g1', 0);
  const commit = (node: string, as: string) => ({ edits: [{ node, text: 'edited', as }] }) as never;
  edits.add(commit(streaming, 'new1'), [{ id: streaming, text: 'a mill' }]);
  expect(edits.all.get('new1')).toEqual({ streamId: streaming, baseLength: 6, shownLength: 6 });
  // An edit of that edit still belongs to the same stream.
  edits.all.get('new1')!.shownLength = 9;
  edits.add(commit('new1', 'new2'), []);
  expect(edits.all.get('new2')).toEqual({ streamId: streaming, baseLength: 9, shownLength: 9 });
  edits.forget(commit('new1', 'new2'));
  expect([...edits.all.keys()]).toEqual(['new1']);
});

test('[W16] an edit of a finished text waits for nothing', () => {
  const edits = createStreamEdits();
  edits.add({ edits: [{ node: 'n1', text: 'edited', as: 'new1' }] } as never, [{ id: 'n1', text: 'a mill' }]);
  expect(edits.all.size).toBe(0);
});

test('[W16] half a character waits for its other half', () => {
  expect(trimHalfPair('a\ud83d')).toBe('a');
  expect(trimHalfPair('a😀')).toBe('a😀');
  expect(trimHalfPair('')).toBe('');
});

test.each([
  ['nothing for the same text', 'abc', 'abc', undefined],
  ['only the letters typed', 'abc', 'abXc', { from: 12, to: 12, insert: 'X' }],
  ['only the letters deleted', 'abc', 'ac', { from: 11, to: 12, insert: '' }],
  ['one of two equal letters', 'aa', 'a', { from: 11, to: 12, insert: '' }],
  ['all of another text', 'abc', 'xyz', { from: 10, to: 13, insert: 'xyz' }],
] as const)('[W8] a new text changes %s', (_, before, after, change) => {
  expect(trimChange({ from: 10, to: 10 + before.length, insert: after }, before)).toEqual(change);
});
