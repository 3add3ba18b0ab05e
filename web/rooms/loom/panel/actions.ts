import { useStore } from '../../../data/store.ts';
import { type Action, useActions } from '../../../shell/actions.ts';
import type { LoomActions } from '../actions.ts';
import { EXPORT_FORMATS, exportLoom } from '../files.ts';
import type { OpenLoom } from '../loom.ts';
import { findFillIn, insertFillIn } from '../session/fill-in.ts';
import { TABS } from './panel.tsx';
import { showTab } from './show-tab.ts';

/** Adds actions without a key to the palette, even while the panel and the bar are hidden. */
export function usePanelActions(loom: OpenLoom, { overlay }: LoomActions): void {
  const { node } = useStore(loom.caret);
  const hoistedNode = useStore(loom.hoistedNode);
  const explorations = useStore(loom.explorations.all);
  const view = useStore(loom.view);
  useStore(loom.session.revision);
  const fillIn = findFillIn(loom);
  useActions('This loom', [
    { name: 'View: write', act: () => loom.view.set('write'), when: view !== 'write' },
    { name: 'View: authors', act: () => loom.view.set('authors'), when: view !== 'authors' },
    { name: 'View: probabilities', act: () => loom.view.set('probabilities'), when: view !== 'probabilities' },
    { name: 'Map', act: () => overlay.set({ kind: 'map' }) },
    { name: 'Loom settings', act: () => overlay.set({ kind: 'settings', tab: 'generation' }) },
    { name: 'Loom settings: keys', act: () => overlay.set({ kind: 'settings', tab: 'keys' }) },
    { name: 'Import or export', act: () => overlay.set({ kind: 'settings', tab: 'files' }) },
    ...TABS.map((tab) => ({ name: `Panel: ${tab}`, act: () => showTab(loom, tab) })),
    ...explorationActions(loom, explorations),
    {
      name: 'Show only this branch in the outline',
      act: () => {
        loom.hoistedNode.set(node ?? '');
        showTab(loom, 'Tree');
      },
      when: node !== undefined,
    },
    { name: 'Show the whole outline', act: () => loom.hoistedNode.set(undefined), when: hoistedNode !== undefined },
    {
      name: 'Insert the fill-in',
      act: () => void (fillIn && insertFillIn(loom, fillIn)),
      when: fillIn !== undefined,
    },
    ...EXPORT_FORMATS.filter(({ format }) => format !== 'markdown' && format !== 'jsonl').map(
      ({ format, is: label }) => ({
        name: `Export as ${label}`,
        act: () => void exportLoom(loom, format),
      }),
    ),
  ]);
}

function explorationActions(
  loom: OpenLoom,
  summaries: ReturnType<OpenLoom['explorations']['all']['get']>,
): readonly Action[] {
  return summaries.flatMap(({ exploration, state }) => {
    if (state !== 'running' && state !== 'paused') return [];
    const turn = (to: string) => void loom.session.command('turn_exploration', { exploration, to });
    const [name, to] =
      state === 'running' ? ['Pause the exploration', 'paused'] : ['Resume the exploration', 'running'];
    return [
      { name, act: () => turn(to) },
      { name: 'End the exploration', act: () => turn('stopped') },
    ];
  });
}
