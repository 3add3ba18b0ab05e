import { expect, test } from 'vitest';
import { alpha, given, human } from '../../../../test/support/domain/given.ts';
import { fromSeeds, seeded } from '../../../../test/support/random.ts';
import type { Actor } from '../../events/event.ts';
import type { LoomState } from '../state.ts';
import { viewTree } from '../tree.ts';
import { viewPath } from '../view.ts';
import { traceCharacter } from './character.ts';
import { viewSpans } from './node-spans.ts';

const bob: Actor = { id: 'bob', kind: 'human' };
const WORDS = ['once ', 'upon ', 'a ', 'grey ', 'time', '😀', '. ', 'the sea '];

test(
  '[I11] [W15] every character leads to a node with the same letter, written by the author of its span',
  {
    timeout: 300_000,
  },
  () => fromSeeds(30, runOnce),
);

function runOnce(seed: number) {
  const random = seeded(seed);
  const world = given([human, 'create', { title: 'T', kind: 'loom', setup: { text: 'once upon a time' } }]);
  const state = () => world.mode<LoomState>();
  const text = () => Array.from({ length: 1 + random.below(5) }, () => random.pick(WORDS)).join('');
  for (let step = 0; step < 30; step++) {
    const who = random.pick([human, bob]);
    const { path, text: whole } = viewPath(state(), 't1', who.id);
    const entry = random.pick(path);
    const own = entry ? whole.slice(entry.start, entry.end) : '';
    const cut = random.below(own.length + 1);
    const edited = [`${own.slice(0, cut)}${text()}${own.slice(cut)}`, own.slice(0, cut), text()];
    const node = random.pick(viewTree(state(), 'ana', 0, 1000).node);
    const generation = state().openGenerations[0]?.request.generation ?? 'none';
    const choices = [{ content: text(), finish: 'stop' }];
    const commands: [Actor, string, object][] = [
      [who, 'commit', { text: text() }],
      [who, 'commit', { edits: entry ? [{ node: entry.node, text: random.pick(edited) }] : [] }],
      [who, 'commit', { edits: entry ? [{ node: entry.node, text: random.pick(edited) }] : [] }],
      [who, 'split', { node: entry?.node ?? 'root', at: cut }],
      [who, 'merge', { node: entry?.node ?? 'root' }],
      [who, 'cherry_pick', { node: entry?.node ?? 'root', from: 0, to: cut, source: node, start: 0, end: 1 }],
      [who, 'switch', { node }],
      [who, 'generate', { n: 1 }],
      [alpha, 'report_generation', { generation, model: 'base', choices }],
    ];
    world.when(...(random.pick(commands) as Parameters<typeof world.when>));
  }
  const graph = state().graph.read();
  for (let node = 1; node < graph.ids.length; node++) {
    for (const { start, end, author, kind } of viewSpans(state(), graph.ids[node] as string)) {
      for (let offset = start; offset < end; offset++) {
        const origin = traceCharacter(graph, node, offset).at(-1);
        const source = origin && { author: graph.authors[origin.node], kind: graph.kinds[origin.node] };
        expect(source).toEqual({ author, kind });
        expect(graph.contents[origin?.node as number]?.[origin?.offset as number]).toBe(graph.contents[node]?.[offset]);
      }
    }
  }
}
