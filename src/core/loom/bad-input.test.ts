import { describe, expect, test } from 'vitest';
import { alpha, given, human } from '../../../test/support/domain/given.ts';
import type { Actor, Event } from '../events/event.ts';
import { LoomCommitted } from './events.ts';
import type { LoomState } from './state.ts';
import { viewPath } from './view.ts';

const bob: Actor = { id: 'bob', kind: 'human' };

function loom(text = '') {
  const world = given([human, 'create', { title: 'Tale', kind: 'loom', setup: text ? { text } : {} }]);
  const send = (actor: Actor, name: string, input: object = {}) => world.when(actor, name as never, input);
  const view = (who = human) => viewPath(world.mode<LoomState>(), 't1', who.id);
  function write(words: string, who = human): string {
    send(who, 'commit', { text: words });
    return view(who).tip;
  }
  return { ...world, send: send, view, write };
}

const code = (outcome: object) => ('code' in outcome ? outcome.code : undefined);

describe('bad input', () => {
  test('[W10] editing a node that is not on the path is refused and changes nothing', () => {
    const it = loom('A');
    const b = it.write('b');
    it.send(human, 'switch', { node: 'root' });
    const before = it.events.length;
    expect(code(it.send(human, 'commit', { edits: [{ node: b, text: 'B' }], text: 'more' }))).toBe('not_on_path');
    expect(code(it.send(human, 'commit', { edits: [{ node: 'nobody', text: 'B' }] }))).toBe('unknown_node');
    expect(it.events.length).toBe(before);
  });

  test('[W1] the root cannot have versions', () => {
    const it = loom('A');
    expect(code(it.send(human, 'commit', { edits: [{ node: 'root', text: 'x' }] }))).toBe('malformed');
    expect(code(it.send(human, 'cherry_pick', { node: 'root', source: 'root', start: 0, end: 0 }))).toBe('malformed');
    expect(it.view().text).toBe('A');
  });

  test('[W3] I can edit a version of a version of the first node that has several branches', () => {
    const it = loom('A');
    const a = it.view().tip;
    const branches = ['b', 'c', 'd'].map((text) => {
      it.send(human, 'commit', { text, after: a });
      return it.view().tip;
    });
    it.send(human, 'commit', { edits: [{ node: a, text: 'A2' }] });
    const second = it.view().path[0]?.node as string;
    it.send(human, 'commit', { edits: [{ node: second, text: 'A3' }] });
    expect(it.view()).toMatchObject({ text: 'A3d', path: [{ edited_from: second }, { siblings: branches }] });
    expect(it.view().path[0]?.versions.length).toBe(3);
    for (const [i, node] of branches.entries()) {
      it.send(human, 'switch', { node });
      expect(it.view().text).toBe(`A3${'bcd'[i]}`);
    }
  });

  test('[W13] emptying every node creates empty versions, and every earlier text can be selected again', () => {
    const it = loom('A');
    it.write('b');
    it.write('c');
    const nodes = it.view().path.map(({ node }) => node);
    it.send(human, 'commit', { edits: nodes.map((node) => ({ node, text: '' })) });
    expect(it.view()).toMatchObject({ text: '', length: 3 });
    for (const node of nodes) it.send(human, 'switch', { node });
    expect(it.view().text).toBe('Abc');
  });

  test('[W10] an edit without a change and an empty buffer commit nothing', () => {
    const it = loom('A');
    const node = it.view().tip;
    expect(it.send(human, 'commit', { edits: [{ node, text: 'A' }] })).toEqual([]);
    expect(it.send(human, 'commit', {})).toEqual([]);
    expect(it.send(human, 'switch', { node })).toEqual([]);
    expect(
      code(
        it.send(human, 'commit', {
          edits: [
            { node, text: 'x' },
            { node, text: 'y' },
          ],
        }),
      ),
    ).toBe('malformed');
  });

  test('[W25] two people who edit the same node at once both keep their versions and are told', () => {
    const it = loom('A');
    const node = it.view().tip;
    it.send(bob, 'mark', { node, bookmark: 'b' });
    it.send(human, 'commit', { edits: [{ node, text: 'Ana' }] });
    it.send(bob, 'commit', { edits: [{ node, text: 'Bob' }] });
    const [hers, his] = [it.view().path[0], it.view(bob).path[0]];
    expect([it.view().text, it.view(bob).text]).toEqual(['Ana', 'Bob']);
    expect(hers?.offered).toEqual([his?.node]);
    const committed = LoomCommitted.read(it.events.at(-1) as Event);
    expect(committed?.content.edits[0]?.beside).toEqual([hers?.node]);
    expect(hers?.versions.length).toBe(3);
  });

  test('[W22] pruning my current path ends it there, and others stay where they are', () => {
    const it = loom('A');
    const b = it.write('b');
    it.write('c');
    it.send(bob, 'mark', { node: b, bookmark: 'b' });
    it.send(human, 'mark', { node: b, pruned: true });
    expect(it.view().text).toBe('A');
    expect(it.view(bob)).toMatchObject({ text: 'Abc', path: [{}, { pruned: true }, {}] });
    it.send(human, 'switch', { node: b });
    expect(it.view().text).toBe('Abc');
    it.send(human, 'mark', { node: b, pruned: false });
    expect(it.view().path[1]?.pruned).toBeUndefined();
  });

  test('[W9] pending edits are committed before a switch, and text written elsewhere is not lost', () => {
    const it = loom('A');
    const a = it.view().tip;
    const b = it.write('b');
    it.send(human, 'commit', { text: 'c', after: a });
    it.send(human, 'switch', { node: b, text: ' unsaved', edits: [{ node: a, text: 'A!' }] });
    expect(it.view().text).toBe('A!b');
    expect(it.events.slice(-2).map(({ type }) => type)).toEqual(['loom.committed', 'loom.switched']);
    const c = it.view().path[1]?.siblings.at(-1) as string;
    it.send(human, 'switch', { node: c });
    expect(it.view().text).toBe('A!c unsaved');
    it.send(human, 'commit', { text: ' late', after: b });
    expect(it.view().text).toBe('A!b late');
  });

  test('[W20] a split or a span inside a character is refused', () => {
    const it = loom('a😀b');
    const node = it.view().tip;
    for (const at of [0, 2, 4, 9]) expect(code(it.send(human, 'split', { node, at }))).toBe('malformed');
    expect(code(it.send(human, 'cherry_pick', { node, source: node, start: 2, end: 3 }))).toBe('malformed');
    it.send(human, 'split', { node, at: 3 });
    expect(it.view().path.map(({ end }) => end)).toEqual([3, 4]);
  });

  test('[W26] an inconsistent part of a tree is refused as a whole', () => {
    const it = loom();
    const node = { content: 'x', kind: 'human' };
    expect(code(it.send(human, 'import_tree', { nodes: [{ ...node, id: 'a', parent: 'b' }] }))).toBe('malformed');
    expect(
      code(
        it.send(human, 'import_tree', {
          nodes: [
            { ...node, id: 'a' },
            { ...node, id: 'a' },
          ],
        }),
      ),
    ).toBe('malformed');
    expect(code(it.send(human, 'import_tree', { nodes: [{ ...node, id: 'root' }] }))).toBe('malformed');
    expect(code(it.send(human, 'import_tree', { nodes: [{ ...node, id: 'a', edited_from: 'z' }] }))).toBe('malformed');
    expect(code(it.send(human, 'import_tree', { nodes: [], active: 'z' }))).toBe('unknown_node');
    const nodes = [
      { ...node, id: 'a', content: 'one ', kind: 'model', model: 'davinci', bookmark: 'start', tags: ['t'] },
      { ...node, id: 'a2', content: 'uno ', edited_from: 'a' },
      { ...node, id: 'b', content: 'two', parent: 'a', pruned: true },
    ];
    it.send(human, 'import_tree', { nodes, active: 'b' });
    expect(it.view()).toMatchObject({
      text: 'uno two',
      path: [
        { node: 'a2', versions: ['a', 'a2'] },
        { pruned: true, author: 'somebody (imported from a file by ana)' },
      ],
    });
  });

  test('[T7] agents cannot write in a paused loom, but a generation requested before still arrives', () => {
    const it = loom('A');
    it.send(human, 'generate', { n: 1 });
    it.send(human, 'post', { thread: 't1', type: 'control', content: { pause: { on: true } } });
    expect(code(it.send(alpha, 'commit', { text: 'x' }))).toBe('thread_paused');
    const generation = it.mode<LoomState>().openGenerations[0]?.request.generation;
    const choices = [{ content: '!', finish: 'stop' }];
    it.send(alpha, 'report_generation', { generation, choices, model: 'base' });
    expect(it.view().text).toBe('A!');
    expect(it.send(alpha, 'report_generation', { generation, choices, model: 'base' })).toEqual([]);
  });

  test('[W16] a late stop changes nothing, and asking for too much is refused', () => {
    const it = loom('A');
    expect(it.send(human, 'stop', {})).toEqual([]);
    expect(code(it.send(human, 'generate', { n: 32, max_tokens: 8192 }))).toBe('malformed');
    for (let i = 0; i < 16; i++) it.send(human, 'generate', {});
    expect(code(it.send(human, 'generate', {}))).toBe('rate_limited');
    it.send(human, 'stop', {});
    expect(it.jobs().map(({ ending }) => ending)).toEqual(Array(16).fill(true));
  });

  test('[L13] a fork starts with the loom as it was and then changes independently', () => {
    const it = loom('A');
    it.write('b');
    it.send(human, 'generate', {});
    // The states of a fork begin as its parent's; here it is folded by hand.
    const before = it.mode<LoomState>();
    it.write('c');
    expect(viewPath(before, 't1', 'ana').text).toBe('Ab');
    expect(it.view().text).toBe('Abc');
  });
});
