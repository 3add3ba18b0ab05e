import { expect, test } from 'vitest';
import type { LoomEvent } from '../../../../src/core/loom/events.ts';
import { createExplorations } from './explorations.ts';

const event = (type: LoomEvent['type'], content: object) => ({ type, content }) as LoomEvent;
const start = (exploration: string) =>
  event('exploration.started', { exploration, requester: 'ana', nodes: 6, tokens: 100, rank: 'mean' });
const request = (generation: string, exploration?: string) =>
  event('generation.requested', { generation, n: 2, ...(exploration && { exploration }) });
const finish = (generation: string, ...texts: readonly string[]) =>
  event('generation.finished', {
    generation,
    choices: texts.map((content, i) => ({ node: `${generation}-${i}`, content, score: 1 - i })),
    usage: { prompt: 3, generated: 7 },
  });

test('[W21] I see the results and tokens of my exploration, and not those of other generations', () => {
  const explorations = createExplorations();
  explorations.handleEvents([start('x1'), request('g1', 'x1'), request('g2'), finish('g2', 'other')]);
  explorations.handleEvents([finish('g1', 'a mill', 'a well')]);
  expect(explorations.all.get()).toMatchObject([
    {
      exploration: 'x1',
      state: 'running',
      tokensUsed: 7,
      results: [
        { node: 'g1-0', score: 1, text: 'a mill' },
        { node: 'g1-1', score: 0, text: 'a well' },
      ],
    },
  ]);
});

test('[W21] a paused or finished exploration says why', () => {
  const explorations = createExplorations();
  const turn = (to: string, reason?: string) =>
    explorations.handleEvents([event('exploration.turned', { exploration: 'x1', to, ...(reason && { reason }) })]);
  explorations.handleEvents([start('x1')]);
  turn('paused', 'the budget is used up');
  expect(explorations.all.get()).toMatchObject([{ state: 'paused', reason: 'the budget is used up' }]);
  turn('running');
  expect(explorations.all.get()[0]).toMatchObject({ state: 'running', reason: undefined });
});

test('[W21] I see the newest three explorations', () => {
  const explorations = createExplorations();
  explorations.handleEvents(['x1', 'x2', 'x3', 'x4'].map(start));
  expect(explorations.all.get().map(({ exploration }) => exploration)).toEqual(['x2', 'x3', 'x4']);
});
