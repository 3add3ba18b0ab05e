import { expect, test } from 'vitest';
import { given, human } from '../../../test/support/domain/given.ts';
import { fuzzRuns } from '../../../test/support/random.ts';
import { viewAuthorship } from './authorship/node-spans.ts';
import type { LoomState } from './state.ts';
import { viewTree } from './tree.ts';
import { viewPath } from './view.ts';

/** A slice in the tests, a million with HEDDLE_FUZZ_RUNS=1000. */
const DEPTH = fuzzRuns(20) * 1000;
const PART = 20_000;

test('[W27] a chain of any depth can be imported, opened, edited and navigated without recursion', {
  timeout: 300_000,
}, () => {
  const world = given([human, 'create', { title: 'Deep', kind: 'loom' }]);
  for (let from = 0; from < DEPTH; from += PART) {
    const nodes = Array.from({ length: Math.min(PART, DEPTH - from) }, (_, k) => {
      const i = from + k;
      return { id: `n${i}`, ...(i > 0 && { parent: `n${i - 1}` }), content: `${i} `, kind: 'human' };
    });
    world.when(human, 'import_tree', { nodes, ...(from + PART >= DEPTH && { active: `n${DEPTH - 1}` }) });
  }
  const view = (part = {}) => viewPath(world.mode<LoomState>(), 't1', 'ana', part);
  const end = { from: DEPTH - 2 };
  expect(view(end)).toMatchObject({ length: DEPTH, text: `${DEPTH - 2} ${DEPTH - 1} ` });
  world.when(human, 'switch', { node: 'root' });
  expect(view().text).toBe('');
  world.when(human, 'switch', { node: `n${DEPTH - 1}` });
  expect(view().length).toBe(DEPTH);
  world.when(human, 'commit', { edits: [{ node: 'n0', text: 'zero ' }] });
  expect(view({ limit: 2 })).toMatchObject({ text: 'zero 1 ', path: [{ stale: false }, { stale: true }] });
  world.when(human, 'switch', { node: 'root' });
  world.when(human, 'commit', { text: 'last', after: `n${DEPTH - 1}` });
  expect(view(end).text.endsWith('last')).toBe(true);
  world.when(human, 'undo', {});
  expect(view().length).toBe(0);
  world.when(human, 'redo', {});
  expect(viewTree(world.mode<LoomState>(), 'ana', DEPTH - 1, 10)).toMatchObject({
    total: DEPTH + 1,
    parent: [DEPTH - 1, DEPTH],
  });
  expect(viewAuthorship(world.mode<LoomState>(), 'ana').spans.length).toBe(3);
});
