import { expect, test } from 'vitest';
import { given, human } from '../../../test/support/domain/given.ts';
import type { LoomState } from '../../core/loom/state.ts';
import { viewNode, viewPath } from '../../core/loom/view.ts';
import { isRefusal } from '../../core/refusal.ts';
import { importLooms } from './import.ts';
import { treeOfState } from './state-tree.ts';
import { partsOfTree } from './tree-parts.ts';
import { writeOpenLoom } from './write/openloom.ts';
import { writeSocketteer } from './write/socketteer.ts';

const formats = { openloom: writeOpenLoom, socketteer: writeSocketteer };
const names = Object.keys(formats) as (keyof typeof formats)[];
type World = ReturnType<typeof given>;

/** A node with three versions, of which the middle one is shown, and another node after it. */
function loomWithSelections() {
  const world = given([human, 'create', { title: 'T', kind: 'loom', setup: { text: 'One ' } }]);
  world.when(human, 'commit', { text: 'two.' });
  const ids: string[] = [firstNode(world)];
  for (const text of ['Uno ', 'Un ']) {
    world.when(human, 'commit', { edits: [{ node: firstNode(world), text }] });
    ids.push(firstNode(world));
  }
  world.when(human, 'switch', { node: ids[1] });
  return { world, ids };
}

const stateOf = (world: World) => world.mode<LoomState>();
const pathOf = (world: World) => viewPath(stateOf(world), 't1', human.id);
const firstNode = (world: World) => pathOf(world).path[0]?.node as string;

/** Written, read and stored again as a loom of its own. */
function roundTrip(world: World, format: keyof typeof formats) {
  const content = [...formats[format](treeOfState(stateOf(world), 'T', human.id, new Map()))].join('');
  const looms = importLooms([{ name: 'back.json', content }], 'auto');
  if (isRefusal(looms) || !looms[0]) throw new Error('not read');
  const { parts, report } = partsOfTree(looms[0]);
  const back = given([human, 'create', { title: 'T', kind: 'loom' }]);
  for (const part of parts) back.when(human, 'import_tree', part);
  return { content, back, report: report() };
}

test('[W29] a path shows the version at each place with several, and what each node follows', () => {
  const { world, ids } = loomWithSelections();
  const { path, version_selections: selections } = pathOf(world);
  expect(selections).toEqual({ [ids[0] as string]: ids[1] });
  expect(path.map(({ sources }) => sources)).toEqual([['root'], ids]);
  const last = path[1]?.node as string;
  expect(viewNode(stateOf(world), last, human.id, String)).toMatchObject({ parent: ids[1], sources: ids });
  expect(viewNode(stateOf(world), 'root', human.id, String)?.sources).toEqual([]);
});

test('[W29] after a split a node follows both the first half and the original', () => {
  const { world, ids } = loomWithSelections();
  world.when(human, 'split', { node: ids[1], at: 2 });
  const { path, text } = pathOf(world);
  expect(text).toBe('Uno two.');
  expect(path[2]?.sources).toEqual([...ids, path[1]?.node]);
});

test.each(names)('[W29] the choice of an earlier version survives a file of %s', (format) => {
  const { world, ids } = loomWithSelections();
  const { content, back, report } = roundTrip(world, format);
  expect(JSON.parse(content).heddle).toEqual({ versionSelections: { [ids[0] as string]: ids[1] } });
  expect(content).toContain(`"sources":${JSON.stringify(ids)}`);
  expect(pathOf(back).text).toBe('Uno two.');
  expect(pathOf(back).version_selections).toEqual(pathOf(world).version_selections);
  expect(pathOf(back).path.map(({ sources }) => sources)).toEqual(pathOf(world).path.map(({ sources }) => sources));
  expect(report.dropped.map(({ field }) => field)).not.toContain('sources');
  expect(roundTrip(back, format).content).toContain('versionSelections');
});

test.each(names)('[W29] a choice that several places shared is reported as lost in a file of %s', (format) => {
  const { world, ids } = loomWithSelections();
  world.when(human, 'split', { node: ids[1], at: 2 });
  const { back, report } = roundTrip(world, format);
  expect(pathOf(back).text).toBe('Uno two.');
  expect(report.dropped).toContainEqual({
    field: 'sources',
    count: 3,
    why: 'after a split or a merge several places led to a node; it follows the one shown',
  });
});
