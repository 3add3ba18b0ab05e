import { describe, expect, test } from 'vitest';
import { alpha, given, human } from '../../../test/support/domain/given.ts';
import type { Actor, Event } from '../events/event.ts';
import { viewAuthorship } from './authorship/node-spans.ts';
import { GenerationFinished, LoomCommitted } from './events.ts';
import type { LoomState } from './state.ts';
import { viewTree } from './tree.ts';
import { viewNode, viewPath } from './view.ts';
import type { PathView } from './view-schema.ts';

const bob: Actor = { id: 'bob', kind: 'human' };

/** A loom in a test's hand; texts stand for nodes, as each is written once. */
function loom(text = '') {
  const world = given([human, 'create', { title: 'Tale', kind: 'loom', setup: text ? { text } : {} }]);
  const state = () => world.mode<LoomState>();
  const view = (who = human) => viewPath(state(), 't1', who.id);
  const lastEvent = () => world.events.at(-1) as Event;
  function send(actor: Actor, name: string, input: object = {}) {
    const outcome = world.when(actor, name as never, input);
    if ('code' in outcome) throw new Error(`refused: ${outcome.code} ${outcome.message}`);
    return outcome;
  }
  function refusalOf(actor: Actor, name: string, input: object = {}) {
    const outcome = world.when(actor, name as never, input);
    return 'code' in outcome ? outcome.code : undefined;
  }
  /** Adds a node and tells its id. */
  function write(words: string, who = human): string {
    send(who, 'commit', { text: words });
    return LoomCommitted.read(lastEvent())?.content.append?.node as string;
  }
  function editNode(node: string, words: string, who = human): string {
    send(who, 'commit', { edits: [{ node, text: words }] });
    return LoomCommitted.read(lastEvent())?.content.edits[0]?.node as string;
  }
  function generate(texts: readonly string[], more: object = {}, who = human): string[] {
    send(who, 'generate', { n: texts.length, ...more });
    return finish(texts);
  }
  function finish(texts: readonly string[], more: object = {}): string[] {
    const open = state().openGenerations.at(-1)?.request.generation;
    const choices = texts.map((content) => ({ content, finish: 'length' }));
    send(alpha, 'report_generation', { generation: open, choices, model: 'base', ...more });
    const finished = world.events.findLast(({ type }) => type === 'generation.finished') as Event;
    return GenerationFinished.read(finished)?.content.choices.map(({ node }) => node) as string[];
  }
  return {
    ...world,
    loom: state,
    view,
    send: send,
    refused: refusalOf,
    write,
    edit: editNode,
    generate,
    finish,
    last: lastEvent,
  };
}

const texts = ({ text, path }: PathView) => path.map(({ start, end }) => text.slice(start, end));
const stale = ({ path }: PathView) => path.map((entry) => (entry.stale ? '!' : '.')).join('');

describe('versions and branches', () => {
  test('[W1] a node has an author, a kind, a time and hashes; the root is empty and invisible', () => {
    const it = loom('Once');
    expect(it.view()).toMatchObject({ text: 'Once', length: 1 });
    const [entry] = it.view().path;
    expect(entry).toMatchObject({ author: 'ana', kind: 'human', start: 0, end: 4, stale: false });
    const node = viewNode(it.loom(), entry?.node as string, 'ana', (text) => `#${text.length}`);
    expect(node).toMatchObject({ content_hash: '#4', parent: 'root', created: it.now(), pruned: false, on_path: true });
    expect(viewTree(it.loom(), 'ana', 0, 10)).toMatchObject({ total: 1, parent: [0], flags: [1] });
  });

  test('[W2] [W3] an edit is one event, and everything after the node stays and follows any version', () => {
    const it = loom('One ');
    const two = it.write('two ');
    const three = it.write('three');
    const other = it.generate(['drei', 'trois'], { at: two });
    const before = it.events.length;
    const version = it.edit(two, 'zwei ');
    expect(it.events.length).toBe(before + 1);
    expect(it.loom().nodes).toBe(6);
    expect(it.view().text).toBe('One zwei drei');
    expect(it.view().path[1]).toMatchObject({ node: version, versions: [two, version], edited_from: two });
    it.send(human, 'switch', { node: three });
    expect(it.view().text).toBe('One zwei three');
    it.send(human, 'switch', { node: two });
    expect(it.view().text).toBe('One two three');
    expect(viewNode(it.loom(), two, 'ana', String)?.children).toEqual([three, ...other]);
    expect(viewNode(it.loom(), version, 'ana', String)?.children).toEqual([three, ...other]);
  });

  test('[W4] continuations are separate branches, and the first is active', () => {
    const it = loom('Once ');
    const [first, second, third] = it.generate(['upon', 'more', 'again']);
    expect(it.view().text).toBe('Once upon');
    expect(it.view().path[1]).toMatchObject({
      node: first,
      kind: 'model',
      author: 'alpha',
      siblings: [first, second, third],
    });
    it.send(human, 'switch', { node: third });
    expect(it.view().text).toBe('Once again');
  });

  test('[W5] switching to a branch shows what I last saw after it, and a version keeps what follows', () => {
    const it = loom('A');
    const [b, c] = it.generate(['b', 'c']) as [string, string];
    const d = it.write('d');
    it.write('e');
    it.send(human, 'switch', { node: c });
    expect(it.view().text).toBe('Ac');
    it.write('f');
    it.send(human, 'switch', { node: b });
    expect(it.view().text).toBe('Abde');
    const d2 = it.edit(d, 'D');
    expect(it.view().text).toBe('AbDe');
    it.send(human, 'switch', { node: c });
    expect(it.view().text).toBe('Acf');
    it.send(human, 'switch', { node: b });
    expect(it.view().text).toBe('AbDe');
    it.send(human, 'switch', { node: d });
    expect(it.view().text).toBe('Abde');
    expect(it.view().path[2]?.versions).toEqual([d, d2]);
  });

  test('[W5] my path is my own: other people’s edits and texts are offered to me, never applied', () => {
    const it = loom('A');
    const b = it.write('b');
    it.send(bob, 'switch', { node: 'root' });
    it.send(bob, 'switch', { node: b });
    expect(it.view(bob).text).toBe('Ab');
    const b2 = it.edit(b, 'B', bob);
    it.write('c', bob);
    expect(it.view(bob).text).toBe('ABc');
    expect(it.view().text).toBe('Ab');
    expect(it.view().path[1]).toMatchObject({ node: b, offered: [b2] });
    it.send(human, 'switch', { node: b2 });
    expect(it.view().text).toBe('AB');
    expect(it.view().path[1]?.offered).toBeUndefined();
    it.send(human, 'switch', { node: b });
    expect(it.view().path[1]?.offered).toBeUndefined();
  });

  test('[W5] a newcomer sees the path of the person who started and keeps it from the first action on', () => {
    const it = loom('A');
    const b = it.write('b');
    expect(it.view(bob).text).toBe('Ab');
    it.send(bob, 'mark', { node: b, bookmark: 'here' });
    it.write('c');
    expect(it.view(bob).text).toBe('Ab');
    expect(it.view().text).toBe('Abc');
  });

  test('[W2] [W5] a reader who chose no version sees the one preferred on the way to the next node', () => {
    const it = loom('A');
    const carl: Actor = { id: 'carl', kind: 'human' };
    it.write('x', carl);
    const b = it.write('b');
    const c = it.write('c');
    it.send(human, 'switch', { node: b });
    it.edit(b, 'B');
    it.send(human, 'prefer', { node: b, child: c });
    expect(viewNode(it.loom(), c, 'ana', String)?.preferred_source).toBe(b);
    expect(it.refused(carl, 'prefer', { node: c, child: b })).toBe('malformed');

    // Ana chose a version by her edit, and keeps it; Carl comes to this place for the first time.
    expect(it.view().text).toBe('ABc');
    it.send(carl, 'switch', { node: c });
    expect(it.view(carl).text).toBe('Abc');
    const other = it.edit(b, 'β');
    expect(it.view(carl).text).toBe('Abc');
    it.send(carl, 'switch', { node: other });
    expect(it.view(carl).text).toBe('Aβc');
  });

  test('[W2] [W5] a preferred version applies to one continuation, and elsewhere the latest is shown', () => {
    const it = loom('A');
    const carl: Actor = { id: 'carl', kind: 'human' };
    it.write('x', carl);
    const b = it.write('b');
    const [c, d] = it.generate(['c', 'd']) as [string, string];
    it.edit(b, 'B');
    it.send(human, 'prefer', { node: b, child: c });
    it.send(carl, 'switch', { node: d });
    expect(it.view(carl).text).toBe('ABd');
    it.send(carl, 'switch', { node: c });
    expect(it.view(carl).text).toBe('Abc');
  });
});

describe('staleness and proof', () => {
  test('[W6] text written after an earlier version is stale until that version is shown again', () => {
    const it = loom('A');
    const b = it.write('b');
    it.write('c');
    it.write('d');
    expect(stale(it.view())).toBe('....');
    it.edit(b, 'B');
    expect(stale(it.view())).toBe('..!!');
    it.write('e');
    expect(stale(it.view())).toBe('..!!.');
    it.send(human, 'switch', { node: b });
    expect(stale(it.view())).toBe('....!');
    // The same text by another edit is the same context: hashes are of content alone.
    it.edit(b, 'B');
    it.edit(it.view().path[1]?.node as string, 'b');
    expect(stale(it.view())).toBe('....!');
  });

  test('[W31] a split or a merge that changes no character makes nothing stale', () => {
    const it = loom('A');
    const b = it.write('bcd');
    it.write('e');
    it.send(human, 'split', { node: b, at: 1 });
    expect(it.view()).toMatchObject({ text: 'Abcde', length: 4 });
    expect(stale(it.view())).toBe('....');
    it.write('f');
    it.send(human, 'merge', { node: it.view().path[1]?.node });
    expect(it.view()).toMatchObject({ text: 'Abcdef', length: 4 });
    expect(stale(it.view())).toBe('....');
    it.edit(it.view().path[0]?.node as string, 'Abx');
    expect(stale(it.view())).toBe('.!!!');
    it.edit(it.view().path[0]?.node as string, 'Ab');
    expect(stale(it.view())).toBe('....');
  });

  test('[W7] a context is the hash of the previous context and text, fixed at writing', () => {
    const it = loom('A');
    const b = it.write('b');
    const c = it.write('c');
    const contextHashOf = (id: string) => viewNode(it.loom(), id, 'ana', String)?.context_hash as string;
    expect(contextHashOf(c)).toBe(`heddle context 1\n${contextHashOf(b)}\nb`);
    const before = contextHashOf(c);
    it.edit(b, 'B');
    expect(contextHashOf(c)).toBe(before);
    const written = it.events.map((event) => LoomCommitted.read(event)?.content.append?.context_hash);
    expect(written).toContain(before);
    const d = it.write('d');
    expect(contextHashOf(d)).toContain('\nB');
  });
});

describe('undo, marks, split and merge', () => {
  test('[W14] undo reverts my last commit, switch or prune, redo repeats it, and no node is lost', () => {
    const it = loom('A');
    const b = it.write('b');
    it.edit(b, 'B');
    it.send(human, 'mark', { node: b, pruned: true });
    expect(it.view().text).toBe('A');
    it.send(human, 'undo');
    expect(it.view().text).toBe('AB');
    it.send(human, 'undo');
    expect(it.view().text).toBe('Ab');
    it.send(human, 'undo');
    expect(it.view().text).toBe('A');
    it.send(human, 'redo');
    it.send(human, 'redo');
    expect(it.view().text).toBe('AB');
    expect(it.loom().nodes).toBe(3);
    it.write('c');
    expect(it.refused(human, 'redo')).toBe('conflict');
    expect(it.refused(bob, 'undo')).toBe('conflict');
  });

  test('[W14] undo only reverts my own actions, and later ones of others stay', () => {
    const it = loom('A');
    const b = it.write('b');
    it.send(bob, 'switch', { node: 'root' });
    it.send(bob, 'switch', { node: b });
    it.edit(b, 'Bob', bob);
    it.send(human, 'undo');
    expect(it.view().text).toBe('A');
    expect(it.view(bob).text).toBe('ABob');
  });

  test('[W22] I can bookmark, tag, rate and annotate nodes, and pruned branches can be restored', () => {
    const it = loom('A');
    const [b, c] = it.generate(['b', 'c']) as [string, string];
    it.send(human, 'mark', { node: c, bookmark: 'turn', tags: ['x', 'y'], rating: 3, note: 'n' });
    it.send(human, 'mark', { node: c, untag: ['x'], rating: null });
    expect(viewNode(it.loom(), c, 'ana', String)?.marks).toEqual({ bookmark: 'turn', tags: ['y'], note: 'n' });
    expect(it.send(human, 'mark', { node: c, bookmark: 'turn' })).toEqual([]);
    it.send(human, 'mark', { node: c, pruned: true });
    expect(it.view().path[1]?.siblings).toEqual([b]);
    it.send(human, 'mark', { node: c, pruned: false });
    expect(it.view().path[1]?.siblings).toEqual([b, c]);
    expect(it.refused(human, 'mark', { node: 'root', pruned: true })).toBe('malformed');
  });

  test('[W22] nodes by others that I have not seen are unread', () => {
    const it = loom('A');
    const [, c] = it.generate(['b', 'c']) as [string, string];
    expect(viewTree(it.loom(), 'ana', 0, 10).flags).toEqual([1, 1, 4]);
    it.send(human, 'switch', { node: c });
    expect(viewTree(it.loom(), 'ana', 0, 10).flags).toEqual([1, 0, 1]);
  });

  test('[W20] a split creates a branch of two places that share what follows, and generating there adds siblings of the second', () => {
    const it = loom('A');
    const [b] = it.generate(['hello world']) as [string];
    it.write('!');
    it.send(human, 'split', { node: b, at: 6 });
    expect(texts(it.view())).toEqual(['A', 'hello ', 'world', '!']);
    expect(it.view().path.map(({ author }) => author)).toEqual(['ana', 'alpha', 'alpha', 'ana']);
    const [, head, tail] = it.view().path.map(({ node }) => node) as [string, string, string];
    const [other] = it.generate(['there'], { at: head }) as [string];
    expect(texts(it.view())).toEqual(['A', 'hello ', 'there']);
    expect(it.view().path[2]?.siblings).toEqual([tail, other]);
    it.send(human, 'switch', { node: tail });
    it.write('?');
    // Children are shared both ways: what follows the second half follows the whole.
    it.send(human, 'switch', { node: b });
    expect(viewNode(it.loom(), b, 'ana', String)?.children.length).toBe(1);
    expect(it.view().text).toBe('Ahello world!?');
    expect(it.refused(human, 'split', { node: b, at: 0 })).toBe('malformed');
  });

  test('[W20] generating inside a node splits it there first', () => {
    const it = loom('one two');
    const node = it.view().path[0]?.node as string;
    const [made] = it.generate(['three'], { at: node, offset: 4 }) as [string];
    expect(texts(it.view())).toEqual(['one ', 'three']);
    expect(it.view().path[1]?.siblings.length).toBe(2);
    expect(it.view().path[1]?.node).toBe(made);
    expect(it.refused(human, 'generate', { at: node, offset: 1 })).toBe('not_on_path');
  });

  test('[W20] a merge creates a branch of one node whose spans keep both authors', () => {
    const it = loom('Mine ');
    const [b] = it.generate(['theirs']) as [string];
    it.write('!');
    it.send(human, 'merge', { node: b });
    expect(it.refused(human, 'merge', { node: b })).toBe('not_on_path');
    expect(texts(it.view())).toEqual(['Mine theirs', '!']);
    expect(viewAuthorship(it.loom(), 'ana').spans).toEqual([
      { start: 0, end: 5, author: 'ana', kind: 'human' },
      { start: 5, end: 11, author: 'alpha', kind: 'model' },
      { start: 11, end: 12, author: 'ana', kind: 'human' },
    ]);
    expect(it.refused(human, 'merge', { node: it.view().path[0]?.node })).toBe('malformed');
  });

  test('[W22] I can take a passage from a sibling as a version that names its source and keeps its author', () => {
    const it = loom('A');
    const [b, c] = it.generate(['red fish', 'blue bird']) as [string, string];
    const version = it.edit(b, 'Red fish');
    it.send(human, 'cherry_pick', { node: version, from: 4, to: 8, source: c, start: 5, end: 9 });
    expect(it.view().text).toBe('ARed bird');
    const node = it.view().path[1]?.node as string;
    expect(viewNode(it.loom(), node, 'ana', String)?.source).toEqual({ node: c, start: 5, end: 9, at: 4 });
    expect(viewAuthorship(it.loom(), 'ana').spans.map(({ author, end }) => `${author} ${end}`)).toEqual([
      'ana 2',
      'alpha 9',
    ]);
    expect(it.refused(human, 'cherry_pick', { node, source: c, start: 5, end: 99 })).toBe('malformed');
  });
});
