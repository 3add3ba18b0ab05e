import { expect, test } from 'vitest';
import { alpha, given, human } from '../../../../test/support/domain/given.ts';
import type { Event, Json } from '../../events/event.ts';
import { GenerationFinished } from '../events.ts';
import { evolveLoom } from '../evolve.ts';
import type { LoomState } from '../state.ts';
import { viewPath } from '../view.ts';

/** Somebody has asked how "Once " goes on. */
function loomWithGeneration(n: number) {
  const world = given([human, 'create', { title: 'Tale', kind: 'loom', setup: { text: 'Once ' } }]);
  const state = () => world.mode<LoomState>();
  world.when(human, 'generate' as never, { n });
  const generation = state().openGenerations.at(-1)?.request.generation;
  return {
    state,
    view: () => viewPath(state(), 't1', human.id),
    send: (name: string) => world.when(human, name as never, {}),
    finish(choices: readonly object[]) {
      world.when(alpha, 'report_generation' as never, { generation, choices, model: 'base' });
      const event = world.events.findLast(({ type }) => type === 'generation.finished') as Event;
      const { choices: finished, shown } = GenerationFinished.schema.parse(event.content);
      return { event, shown, nodes: finished.map(({ node }) => node) };
    },
  };
}

const whole = { content: 'whole', finish: 'stop' };

test.each([
  ['a blank one', [{ content: ' \n', finish: 'stop' }, whole], 1],
  ['a blank and a broken one', [{ content: '', finish: 'length' }, { content: 'half', finish: 'failed' }, whole], 2],
  ['one that was stopped', [{ content: 'half', finish: 'cancelled' }, whole, { content: 'b', finish: 'length' }], 1],
  ['one that was withheld', [{ content: 'held', finish: 'stop', withheld: true }, whole], 1],
])('[W4] after %s I am shown the first choice with text, and the choices keep their order', (_, choices, leads) => {
  const it = loomWithGeneration(choices.length);
  const { nodes, shown } = it.finish(choices);
  const tip = it.view().path[1];
  expect([tip?.node, tip?.siblings, shown]).toEqual([nodes[leads], nodes, leads]);
  it.send('undo');
  expect(it.view().text).toBe('Once ');
  it.send('redo');
  expect(it.view().path[1]?.node).toBe(nodes[leads]);
});

test.each([
  [
    'half a text and a blank one',
    [
      { content: 'half', finish: 'failed' },
      { content: '', finish: 'stop' },
    ],
  ],
  [
    'only blanks',
    [
      { content: ' ', finish: 'stop' },
      { content: '\t', finish: 'stop' },
    ],
  ],
  ['whole texts', [whole, { content: 'more', finish: 'stop' }]],
])('[W4] among %s I am shown the first, and the event says so', (_, choices) => {
  const it = loomWithGeneration(choices.length);
  const { nodes, shown } = it.finish(choices);
  expect([it.view().path[1]?.node, shown]).toEqual([nodes[0], 0]);
});

test('[W4] [W16] after I stop with a blank first choice I am shown the first one with words', () => {
  const it = loomWithGeneration(3);
  it.send('stop');
  it.finish(['\n', 'upon', 'more'].map((content) => ({ content, finish: 'cancelled' })));
  expect(it.view().text).toBe('Once upon');
});

test('[W4] a generation from an earlier version shows its first choice, as before', () => {
  const it = loomWithGeneration(2);
  const before = it.state();
  const { event } = it.finish([{ content: ' ', finish: 'stop' }, whole]);
  const { shown, ...content } = event.content as { readonly [key: string]: Json };
  expect([event.v, shown]).toEqual([2, 1]);
  const folded = evolveLoom(before, { ...event, v: 1, content });
  expect(viewPath(folded, 't1', human.id).text).toBe('Once  ');
});
