import { expect, test } from 'vitest';
import { isRefusal } from '../../refusal.ts';
import { scratchSchema } from './scratch-schema.ts';
import {
  applyChanges,
  bufferOf,
  commit,
  createWeave,
  type EditResult,
  growNode,
  lengthOf,
  nodeAt,
  nodesIn,
  pendingEdits,
  rangeOf,
  redo,
  restoreWeave,
  revertCommits,
  scratchOf,
  settle,
  showPath,
  type TextChange,
  textOf,
  undo,
  type Weave,
} from './weave.ts';

const path = [
  { id: 'one', text: 'Once upon a time ' },
  { id: 'two', text: 'there was a castle ' },
  { id: 'three', text: 'on a hill.' },
];
const [ONE_ENDS, TWO_ENDS, END] = [17, 36, 46];

function edit(weave: Weave, from: number, to: number, insert: string, join = false): EditResult {
  return expectApplied(applyChanges(weave, { from, to, insert }, join));
}

function expectApplied(result: ReturnType<typeof applyChanges>): EditResult {
  if (isRefusal(result)) throw new Error(result.refusal.message);
  return result;
}

function contents(weave: Weave): string[] {
  return [...weave.nodes.map(({ id }) => id), null].map((id) => {
    const range = rangeOf(weave, id);
    return textOf(weave, range?.from, range?.to);
  });
}

test('[W8] each node owns the range of its text, and the boundaries move with it', () => {
  const weave = createWeave(path);
  expect(rangeOf(weave, 'two')).toEqual({ node: 'two', from: ONE_ENDS, to: TWO_ENDS, pending: false });
  expect(nodeAt(weave, ONE_ENDS).node).toBe('two');
  expect(nodeAt(weave, END).node).toBe(null);
  const edited = edit(weave, 5, 9, 'once upon').weave;
  expect(rangeOf(edited, 'three')).toEqual({ node: 'three', from: TWO_ENDS + 5, to: END + 5, pending: false });
  expect(rangeOf(edited, 'nobody')).toBeUndefined();
  expect(nodesIn(edited, 0, lengthOf(edited)).map(({ node, pending }) => [node, pending])).toEqual([
    ['one', true],
    ['two', false],
    ['three', false],
  ]);
});

test('[W8] an edit that cuts a surrogate pair is widened to the whole pair', () => {
  const weave = createWeave([{ id: 'one', text: 'a😀b' }]);
  const { weave: smiling } = edit(weave, 2, 3, '\ude01');
  expect(textOf(smiling)).toBe('a😁b');
  expect(pendingEdits(smiling)[0]?.ranges).toEqual([{ from: 1, to: 3 }]);
});

test('[W8] an edit that would leave a lone surrogate or a NUL is refused', () => {
  const weave = createWeave([{ id: 'one', text: 'a😀b' }]);
  for (const change of [
    { from: 2, to: 2, insert: 'x' },
    { from: 2, to: 4, insert: '' },
    { from: 0, to: 0, insert: '\ud83d' },
    { from: 0, to: 0, insert: 'a\0b' },
  ]) {
    expect(applyChanges(weave, change)).toMatchObject({ refusal: { code: 'unacceptable_text' } });
  }
  expect(() => createWeave([{ id: 'one', text: '\ud83d' }])).toThrow('half a surrogate pair');
  expect(() => applyChanges(weave, { from: 3, to: 5, insert: '' })).toThrow(RangeError);
});

test('[W9] the working buffer follows the last node and is committed as its own node', () => {
  const { weave, nodes } = edit(createWeave(path), END, END, ' The door');
  expect(nodes).toEqual([]);
  expect(bufferOf(weave)).toBe(' The door');
  const committed = commit(weave);
  expect(committed.commit).toEqual({ edits: [], buffer: { text: ' The door', as: '~1.3' } });
  expect(textOf(committed.weave)).toBe(textOf(weave));
  expect(bufferOf(committed.weave)).toBe('');
});

test('[W9] editing a committed node commits the buffer first', () => {
  const typed = edit(createWeave(path), END, END, 'abc').weave;
  const { weave, commit: first, nodes } = edit(typed, 0, 4, 'Twice');
  expect(first).toEqual({ edits: [], buffer: { text: 'abc', as: '~1.3' } });
  expect(nodes).toEqual(['one']);
  expect(contents(weave)).toEqual(['Twice upon a time ', 'there was a castle ', 'on a hill.', 'abc', '']);
});

test('[W9] committing without changes does nothing', () => {
  const weave = createWeave(path);
  expect(commit(weave)).toEqual({ weave });
  const emptied = edit(edit(weave, END, END, 'x').weave, END, END + 1, '').weave;
  expect(commit(emptied).commit).toBeUndefined();
});

test('[W9] scratch restores pending edits and the buffer', () => {
  const weave = edit(edit(createWeave(path), 0, 4, 'Twice').weave, 5, 6, '').weave;
  const restored = restoreWeave(path, JSON.parse(JSON.stringify(scratchOf(weave))));
  expect(restored.strays).toEqual([]);
  expect(pendingEdits(restored.weave)).toEqual(pendingEdits(weave));
  const typed = edit(createWeave(path), END, END, 'abc').weave;
  expect(bufferOf(restoreWeave(path, scratchOf(typed)).weave)).toBe('abc');
});

test('[W31] undo after a reload reverts pending edits and the buffer as text', () => {
  const across = edit(createWeave(path), 12, 22, '').weave;
  const restored = restoreWeave(path, JSON.parse(JSON.stringify(scratchOf(across)))).weave;
  expect(textOf(restored)).toBe(textOf(across));
  const back = undo(restored);
  expect(textOf(back?.weave as Weave)).toBe(textOf(createWeave(path)));
  expect(pendingEdits(back?.weave as Weave)).toEqual([]);
  expect(commit(back?.weave as Weave).commit).toBeUndefined();
  expect(undo(back?.weave as Weave)).toBeUndefined();
  expect(pendingEdits(redo(back?.weave as Weave)?.weave as Weave)).toEqual(pendingEdits(across));

  const typed = restoreWeave(path, { ...scratchOf(createWeave(path)), buffer: 'abc' }).weave;
  expect(bufferOf(undo(typed)?.weave as Weave)).toBe('');
});

test('[W9] scratch from an unacknowledged commit is not lost, and not duplicated if the commit arrived', () => {
  const typed = edit(createWeave(path), END, END, 'abc').weave;
  const flying = edit(typed, 0, 4, 'Twice').weave;
  const committed = commit(flying).weave;
  const scratch = scratchOf(committed);
  expect(scratch).toMatchObject({ buffer: 'abc', after: 'three', count: 3 });
  expect(textOf(restoreWeave(path, scratch).weave)).toBe(textOf(committed));
  const newPath = [{ id: 'one2', text: 'Twice upon a time ' }, ...path.slice(1), { id: 'four', text: 'abc' }];
  const again = restoreWeave(newPath, scratch);
  expect(again.strays).toEqual([]);
  expect(textOf(again.weave)).toBe(textOf(committed));
  expect(pendingEdits(again.weave)).toEqual([]);
});

test('[W9] an edit whose node left the path is handed back, and the buffer stays', () => {
  const scratch = scratchOf(edit(createWeave(path), 0, 4, 'Twice').weave);
  const { weave, strays } = restoreWeave([{ id: 'other', text: 'Elsewhere ' }], { ...scratch, buffer: 'abc' });
  expect(textOf(weave)).toBe('Elsewhere abc');
  expect(strays).toEqual([
    { node: 'one', original: path[0]?.text, current: 'Twice upon a time ', ranges: [{ from: 0, to: 5 }] },
  ]);
});

test('[W9] scratch from elsewhere is validated first', () => {
  const scratch = scratchOf(edit(createWeave(path), 0, 4, 'Twice').weave);
  expect(scratchSchema.parse(scratch)).toEqual(scratch);
  expect(scratchSchema.safeParse({ ...scratch, buffer: '\ud83d' }).success).toBe(false);
  expect(scratchSchema.safeParse({ ...scratch, more: 1 }).success).toBe(false);
  const odd = { ...scratch, edits: scratch.edits.map((one) => ({ ...one, ranges: [{ from: 3, to: 999 }] })) };
  expect(pendingEdits(restoreWeave(path, odd).weave)[0]?.ranges).toEqual([{ from: 0, to: 3 }]);
});

test('[W10] edits within the set continue it, and one outside it commits the set first', () => {
  const once = edit(createWeave(path), 0, 4, 'Twice');
  expect(once.commit).toBeUndefined();
  const twice = edit(once.weave, 6, 10, 'under');
  expect(twice.commit).toBeUndefined();
  expect(pendingEdits(twice.weave)).toEqual([
    {
      node: 'one',
      original: 'Once upon a time ',
      current: 'Twice under a time ',
      ranges: [
        { from: 0, to: 5 },
        { from: 6, to: 11 },
      ],
    },
  ]);
  const outside = edit(twice.weave, 25, 26, 'x');
  expect(outside.commit).toEqual({ edits: [{ node: 'one', text: 'Twice under a time ', as: '~1.0' }] });
  expect(pendingEdits(outside.weave).map(({ node }) => node)).toEqual(['two']);
});

test('[W10] typing in the buffer counts as an edit outside the set', () => {
  const pending = edit(createWeave(path), 0, 4, 'Twice').weave;
  const { commit: first, weave } = edit(pending, END + 1, END + 1, 'x');
  expect(first?.edits).toHaveLength(1);
  expect(bufferOf(weave)).toBe('x');
});

test('[W10] one operation across several nodes extends the set as a whole', () => {
  const pending = edit(createWeave(path), 0, 4, 'Once').weave;
  const across = edit(pending, 12, 20, '');
  expect(across.commit).toBeUndefined();
  expect(across.nodes).toEqual(['one', 'two']);
  const both = expectApplied(
    applyChanges(across.weave, [
      { from: 0, to: 1, insert: 'o' },
      { from: lengthOf(across.weave) - 1, to: lengthOf(across.weave), insert: '!' },
    ]),
  );
  expect(both.commit).toBeUndefined();
  expect(pendingEdits(both.weave).map(({ node }) => node)).toEqual(['one', 'two', 'three']);
});

test('[W10] an edit that ends with the original text commits nothing', () => {
  const edited = edit(createWeave(path), 0, 4, 'Twice').weave;
  const back = edit(edited, 0, 5, 'Once').weave;
  expect(pendingEdits(back)).toHaveLength(1);
  expect(commit(back).commit).toBeUndefined();
  expect(pendingEdits(commit(back).weave)).toEqual([]);
});

test('[W10] a commit keeps every text in place, and its ids can be confirmed or the commit reverted', () => {
  const pending = edit(createWeave(path), 0, 4, 'Twice').weave;
  const { weave } = commit(pending);
  const further = edit(weave, 0, 0, '"').weave;
  const settled = settle(further, new Map([['~1.0', 'one2']]));
  expect(pendingEdits(settled)).toMatchObject([
    { node: 'one2', original: 'Twice upon a time ', current: '"Twice upon a time ' },
  ]);
  const back = revertCommits(further);
  expect(pendingEdits(back)).toMatchObject([
    { node: 'one', original: 'Once upon a time ', current: '"Twice upon a time ' },
  ]);
});

test('[W10] two commits in progress are confirmed in order', () => {
  const first = commit(edit(createWeave(path), 0, 4, 'Twice').weave).weave;
  const { weave: second, commit: sent } = commit(edit(first, 0, 5, 'Thrice').weave);
  expect(sent?.edits[0]).toMatchObject({ node: '~1.0', as: '~2.0' });
  const settled = settle(second, new Map([['~1.0', 'one2']]));
  expect(scratchOf(settled).edits).toMatchObject([{ node: 'one2', original: 'Twice upon a time ' }]);
  expect(settle(settled, new Map([['~2.0', 'one3']])).nodes[0]?.id).toBe('one3');
});

test('[W11] typing edits the node under the caret, on a boundary the left one and at 0 the first one', () => {
  const typedAt = (offset: number) => edit(createWeave(path), offset, offset, 'x').nodes;
  expect(typedAt(5)).toEqual(['one']);
  expect(typedAt(ONE_ENDS)).toEqual(['one']);
  expect(typedAt(ONE_ENDS + 1)).toEqual(['two']);
  expect(typedAt(0)).toEqual(['one']);
});

test('[W11] typing between empty nodes goes to the text on the left, or at 0 to the first text', () => {
  const empty = ['', 'a', '', '', 'b', ''].map((text, i) => ({ id: `n${i}`, text }));
  expect(edit(createWeave(empty), 1, 1, 'x').nodes).toEqual(['n1']);
  expect(edit(createWeave(empty), 0, 0, 'x').nodes).toEqual(['n1']);
  expect(bufferOf(edit(createWeave(empty), 2, 2, 'x').weave)).toBe('x');
  expect(bufferOf(edit(createWeave([]), 0, 0, 'x').weave)).toBe('x');
});

test('[W11] typing at the very end goes to a last node that is being edited, otherwise to the buffer', () => {
  expect(bufferOf(edit(createWeave(path), END, END, 'x').weave)).toBe('x');
  const shortened = edit(createWeave(path), END - 1, END, '').weave;
  const { weave, nodes, commit: first } = edit(shortened, END - 1, END - 1, '!');
  expect([nodes, first, bufferOf(weave)]).toEqual([['three'], undefined, '']);
});

test('[W11] typing between the last node and a non-empty buffer goes to the buffer', () => {
  const { weave } = edit(edit(createWeave(path), END, END, 'x').weave, END, END, 'y');
  expect(bufferOf(weave)).toBe('yx');
});

test('[W11] deleting the end of a node keeps the caret in that node, even if it is empty', () => {
  const shorter = edit(createWeave(path), 30, TWO_ENDS, '').weave;
  expect(edit(shorter, 30, 30, 'x').nodes).toEqual(['two']);
  const emptied = edit(createWeave(path), ONE_ENDS, TWO_ENDS, '').weave;
  const typed = edit(emptied, ONE_ENDS, ONE_ENDS, 'here ');
  expect([typed.nodes, typed.commit]).toEqual([['two'], undefined]);
});

test('[W12] deleting across nodes is one edit of each node and one undo step', () => {
  const weave = createWeave(path);
  const { weave: cut, nodes } = edit(weave, 12, 38, '');
  expect(nodes).toEqual(['one', 'two', 'three']);
  expect(contents(cut)).toEqual(['Once upon a ', '', ' a hill.', '']);
  const back = undo(cut);
  expect(back?.weave.slots).toEqual(weave.slots);
  expect(contents(back?.weave ?? cut)).toEqual(contents(weave));
});

test('[W12] typing over a selection puts the text where the selection starts', () => {
  expect(contents(edit(createWeave(path), 12, 38, 'day').weave)).toEqual(['Once upon a day', '', ' a hill.', '']);
  expect(contents(edit(createWeave(path), ONE_ENDS, 22, 'here').weave)[1]).toBe('here was a castle ');
});

test('[W12] deleting over the last node and the buffer commits the buffer and edits both', () => {
  const typed = edit(createWeave(path), END, END, ' The end').weave;
  const { weave, commit: first, nodes } = edit(typed, END - 1, END + 4, '');
  expect(first?.buffer?.text).toBe(' The end');
  expect(nodes).toEqual(['three', '~1.3']);
  expect(contents(weave).slice(2)).toEqual(['on a hill', ' end', '']);
});

test('[W13] an emptied node stays on the path and is committed as an empty version', () => {
  const { weave, commit: sent } = commit(edit(createWeave(path), ONE_ENDS, TWO_ENDS, '').weave);
  expect(sent?.edits).toEqual([{ node: 'two', text: '', as: '~1.1' }]);
  expect(rangeOf(weave, '~1.1')).toEqual({ node: '~1.1', from: ONE_ENDS, to: ONE_ENDS, pending: false });
  const all = edit(createWeave(path), 0, END, '').weave;
  expect(commit(all).commit?.edits.map(({ text }) => text)).toEqual(['', '', '']);
});

test('[W14] undo and redo step through uncommitted edits, and joined edits are one step', () => {
  const start = createWeave(path);
  let weave = edit(start, 0, 4, 'T').weave;
  weave = edit(weave, 1, 1, 'w', true).weave;
  weave = edit(weave, 2, 2, 'ice', true).weave;
  const typed = weave;
  weave = edit(weave, 6, 10, '').weave;
  weave = undo(weave)?.weave ?? weave;
  expect(pendingEdits(weave)).toEqual(pendingEdits(typed));
  const back = undo(weave);
  expect(pendingEdits(back?.weave ?? weave)).toEqual([]);
  expect(back?.weave && undo(back.weave)).toBeUndefined();
  const forth = back && redo(back.weave);
  expect(forth?.weave && pendingEdits(forth.weave)).toEqual(pendingEdits(typed));
  expect(applyToText(start, forth?.changes ?? [])).toBe(textOf(typed));
});

test('[W14] text undo stops at the commit', () => {
  expect(undo(commit(edit(createWeave(path), 0, 4, 'Twice').weave).weave)).toBeUndefined();
});

test('[W14] undo still works after text streamed in and another node changed its version', () => {
  const pending = edit(createWeave(path), 17, 22, 'here').weave;
  const grown = growNode(pending, 'three', 'on a hill. And').weave;
  const versions = [
    { id: 'one2', text: 'Long ago ' },
    path[1] as (typeof path)[0],
    { id: 'three', text: 'on a hill. And' },
  ];
  const { weave, displaced } = showPath(grown, versions);
  expect(displaced).toEqual([]);
  expect(textOf(weave)).toBe('Long ago here was a castle on a hill. And');
  expect(textOf(undo(weave)?.weave ?? weave)).toBe('Long ago there was a castle on a hill. And');
});

test('[W10] switching branches keeps edits of nodes that stay and hands back the others', () => {
  const pending = edit(createWeave(path), 12, 20, '').weave;
  const { weave, displaced, change } = showPath(pending, [
    path[0] as (typeof path)[0],
    { id: 'other', text: 'a sea.' },
  ]);
  expect(textOf(weave)).toBe('Once upon a a sea.');
  expect(pendingEdits(weave).map(({ node }) => node)).toEqual(['one']);
  expect(displaced).toMatchObject([{ node: 'two', current: 're was a castle ' }]);
  expect(applyToText(pending, change ? [change] : [])).toBe(textOf(weave));
});

test('[W8] streamed text only shows whole characters', () => {
  const weave = createWeave([{ id: 'one', text: '' }]);
  const half = growNode(weave, 'one', 'so \ud83d').weave;
  expect(textOf(half)).toBe('so ');
  expect(textOf(growNode(half, 'one', 'so 😀').weave)).toBe('so 😀');
});

test('[W16] a version of a text that is still streaming grows with it, and undoing it restores the same edit', () => {
  const { weave, commit: due } = commit(edit(createWeave(path), 36, 38, 'upon').weave);
  const as = due?.edits[0]?.as ?? '';
  const grown = growNode(weave, as, 'upon a hill. And').weave;
  expect(textOf(grown)).toBe('Once upon a time there was a castle upon a hill. And');
  expect(pendingEdits(revertCommits(grown))).toMatchObject([
    { node: 'three', original: 'on a hill. And', current: 'upon a hill. And' },
  ]);
});

test('[W9] an edit of a node whose text changed meanwhile is handed back', () => {
  const pending = edit(createWeave(path), 36, 38, 'upon').weave;
  const { displaced } = showPath(pending, [...path.slice(0, 2), { id: 'three', text: 'by the sea.' }]);
  expect(displaced).toMatchObject([{ node: 'three', current: 'upon a hill.' }]);
});

function applyToText(weave: Weave, changes: readonly TextChange[]): string {
  return changes.reduce((text, { from, to, insert }) => text.slice(0, from) + insert + text.slice(to), textOf(weave));
}
