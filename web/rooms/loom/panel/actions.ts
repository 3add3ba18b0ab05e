import { flushSync } from 'react-dom';
import { useStore } from '../../../data/store.ts';
import { type Action, useActions } from '../../../shell/actions.ts';
import { showPanel } from '../../../shell/frame.tsx';
import { exportLoom } from '../files.ts';
import type { OpenLoom, PanelTab } from '../loom.ts';
import { findFillIn, insertFillIn } from '../session/fill-in.ts';
import { hoistNode, TABS } from './panel.tsx';
import { EXPORT_FORMATS } from './settings-tab.tsx';

/** Adds panel and dock actions without a key to the palette, even while the panel and the dock are hidden. */
export function usePanelActions(loom: OpenLoom): void {
  const { node } = useStore(loom.caret);
  const hoistedNode = useStore(loom.hoistedNode);
  const explorations = useStore(loom.explorations.all);
  useStore(loom.session.revision);
  const fillIn = findFillIn(loom);
  useActions('This loom', [
    ...TABS.map((tab) => ({ name: `Beside the text: ${tab}`, act: () => showTab(loom, tab) })),
    ...explorationActions(loom, explorations),
    {
      name: 'Show only what follows, in the tree',
      act: () => {
        hoistNode(loom, node ?? '');
        showTab(loom, 'Tree');
      },
      when: node !== undefined,
    },
    { name: 'Show all of the tree', act: () => loom.hoistedNode.set(undefined), when: hoistedNode !== undefined },
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

function showTab(loom: OpenLoom, tab: PanelTab): void {
  flushSync(() => {
    loom.tab.set(tab);
    showPanel();
  });
  document.querySelector<HTMLElement>('.loom-panel [role=tab][aria-selected=true]')?.focus();
}

function explorationActions(
  loom: OpenLoom,
  summaries: ReturnType<OpenLoom['explorations']['all']['get']>,
): readonly Action[] {
  return summaries.flatMap(({ exploration, state }) => {
    if (state !== 'running' && state !== 'paused') return [];
    const turn = (to: string) => void loom.session.command('turn_exploration', { exploration, to });
    const [name, to] = state === 'running' ? ['Pause the exploration', 'paused'] : ['Go on exploring', 'running'];
    return [
      { name, act: () => turn(to) },
      { name: 'End the exploration', act: () => turn('stopped') },
    ];
  });
}
