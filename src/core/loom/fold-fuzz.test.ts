import { expect, test } from 'vitest';
import { alpha, given, human } from '../../../test/support/domain/given.ts';
import { fromSeeds, seeded } from '../../../test/support/random.ts';
import type { Actor, Event } from '../events/event.ts';
import { viewAuthorship } from './authorship/node-spans.ts';
import { evolveLoom } from './evolve.ts';
import { chainContextHash, emptyContextHash } from './graph/contexts.ts';
import { initialLoom, type LoomState } from './state.ts';
import { viewTree } from './tree.ts';
import { viewNode, viewPath } from './view.ts';
import type { PathView } from './view-schema.ts';

const bob: Actor = { id: 'bob', kind: 'human' };
const people = [human, bob];
const WORDS = ['a', 'b ', 'ç', '😀', '', 'word ', '\t'];
const STEPS = 40;

/** Everything there is to see of a loom. */
function viewsOf(state: LoomState) {
  return people.map(({ id }) => ({
    path: viewPath(state, 't1', id),
    tree: viewTree(state, id, 0, 1000),
    authors: viewAuthorship(state, id),
  }));
}

test(
  '[W5] [W6] [L1] after any actions of two people a fresh fold shows the same, older states are unchanged and staleness follows the hashes',
  {
    timeout: 300_000,
  },
  () => fromSeeds(30, runOnce),
);

function runOnce(seed: number) {
  const random = seeded(seed);
  const world = given([human, 'create', { title: 'T', kind: 'loom', setup: { text: 'start ' } }]);
  const state = () => world.mode<LoomState>();
  const text = () => Array.from({ length: 1 + random.below(3) }, () => random.pick(WORDS)).join('');
  const anyNode = (view: PathView) => {
    const all = viewTree(state(), 'ana', 0, 1000).node;
    return random.below(3) === 0 ? random.pick(all) : (random.pick(view.path)?.node ?? 'root');
  };
  const kept: { state: LoomState; shows: string }[] = [];

  for (let step = 0; step < STEPS; step++) {
    const who = random.pick(people);
    const view = viewPath(state(), 't1', who.id);
    const node = anyNode(view);
    const entry = random.pick(view.path);
    const commands: [Actor, string, object][] = [
      [who, 'commit', { text: text() }],
      [who, 'commit', { edits: entry ? [{ node: entry.node, text: text() }] : [], text: random.pick(['', 'x']) }],
      [who, 'commit', { text: text(), after: node }],
      [who, 'switch', { node }],
      [who, 'switch', { node: random.pick([...(entry?.versions ?? []), ...(entry?.siblings ?? []), 'root']) }],
      [who, 'undo', {}],
      [who, 'redo', {}],
      [who, 'mark', { node, pruned: random.below(2) === 0 }],
      [who, 'split', { node, at: 1 }],
      [who, 'merge', { node }],
      [who, 'cherry_pick', { node, source: anyNode(view), start: 0, end: 1 }],
      [who, 'generate', { n: 2, ...(random.below(2) === 0 && { at: node }) }],
      [alpha, 'report_generation', finishing(state(), text)],
      [alpha, 'report_generation', finishing(state(), text)],
    ];
    world.when(...(random.pick(commands) as Parameters<typeof world.when>));
    check(state(), world.events);
    if (step % 8 === 0) kept.push({ state: state(), shows: JSON.stringify(viewsOf(state())) });
  }

  const before = JSON.stringify(viewsOf(state()));
  // Looking back and forth among states that share their arrays changes none of them.
  for (let i = 0; i < kept.length * 2; i++) {
    const { state: old, shows } = random.pick(kept);
    expect(JSON.stringify(viewsOf(old))).toBe(shows);
  }
  expect(JSON.stringify(viewsOf(state()))).toBe(before);

  // What goes on from an older state is its own.
  const from = random.pick(kept);
  const event = world.events.find(({ type }) => type === 'loom.committed') as Event;
  const other = {
    ...event,
    id: 'other',
    seq: 9999,
    content: { edits: [], append: append(viewPath(from.state, 't1', 'ana').tip) },
  };
  const branched = evolveLoom(from.state, other);
  expect(viewPath(branched, 't1', 'ana').text.endsWith('branched')).toBe(true);
  expect(JSON.stringify(viewsOf(state()))).toBe(before);
  expect(JSON.stringify(viewsOf(from.state))).toBe(from.shows);
}

/** What stood before a node, out of a hash of it that hides nothing: no word here has a line break. */
function textBefore(context: string | undefined): string | undefined {
  return context?.replaceAll('heddle context 1\n', '').replaceAll('\n', '');
}

function append(after: string) {
  return { node: 'branched', after, content: 'branched', content_hash: '', context_hash: '', provenance_hash: '' };
}

function finishing(state: LoomState, text: () => string) {
  const generation = state.openGenerations[0]?.request.generation ?? 'none';
  const finish = { finish: 'stop' };
  return {
    generation,
    model: 'base',
    choices: [
      { content: text(), ...finish },
      { content: text(), ...finish },
    ],
  };
}

function check(state: LoomState, events: readonly Event[]) {
  const anew = events.reduce(evolveLoom, initialLoom());
  expect(viewsOf(anew)).toEqual(viewsOf(state));
  for (const { id } of people) {
    const { path, text } = viewPath(state, 't1', id);
    let [end, link] = [0, chainContextHash(emptyContextHash(String), '', String)];
    for (const entry of path) {
      expect(entry.start).toBe(end);
      end = entry.end;
      const node = viewNode(state, entry.node, id, String);
      expect(text.slice(entry.start, entry.end)).toBe(node?.content);
      expect(entry.stale).toBe(textBefore(node?.context_hash) !== text.slice(0, entry.start));
      if (node?.context_hash === link) expect(entry.stale).toBe(false);
      expect(entry.versions).toContain(entry.node);
      expect(entry.siblings).toContain(entry.node);
      link = chainContextHash(link, node?.content as string, String);
    }
    expect(end).toBe(text.length);
    const { spans } = viewAuthorship(state, id);
    expect(spans.reduce((at, span) => (span.start === at ? span.end : -1), 0)).toBe(text.length);
  }
}
