import { flushSync } from 'react-dom';
import { useStore } from '../../../data/store.ts';
import { type Action, useActions } from '../../../shell/actions.ts';
import { showPanel } from '../../../shell/frame.tsx';
import { takeOut } from '../files.ts';
import type { Loom, Tab } from '../loom.ts';
import { filledAt, joinFilled } from '../session/fill-in.ts';
import { hoist, TABS } from './panel.tsx';
import { EXPORTS } from './settings-tab.tsx';

/** What the panel and the dock offer besides what has a key, for the palette: whether they are shown or not. */
export function usePanelActions(loom: Loom): void {
  const { node } = useStore(loom.caret);
  const hoisted = useStore(loom.hoisted);
  const explored = useStore(loom.explored.all);
  useStore(loom.desk.look);
  const filled = filledAt(loom);
  useActions('This loom', [
    ...TABS.map((tab) => ({ name: `Beside the text: ${tab}`, act: () => showTab(loom, tab) })),
    ...explorations(loom, explored),
    {
      name: 'Show only what follows, in the tree',
      act: () => {
        hoist(loom, node ?? '');
        showTab(loom, 'Tree');
      },
      when: node !== undefined,
    },
    { name: 'Show all of the tree', act: () => loom.hoisted.set(undefined), when: hoisted !== undefined },
    {
      name: 'Put what was filled in into the text',
      act: () => void (filled && joinFilled(loom, filled)),
      when: filled !== undefined,
    },
    ...EXPORTS.filter(({ format }) => format !== 'markdown' && format !== 'jsonl').map(({ format, is }) => ({
      name: `Export as ${is}`,
      act: () => void takeOut(loom, format),
    })),
  ]);
}

function showTab(loom: Loom, tab: Tab): void {
  flushSync(() => {
    loom.tab.set(tab);
    showPanel();
  });
  document.querySelector<HTMLElement>('.loom-panel [role=tab][aria-selected=true]')?.focus();
}

function explorations(loom: Loom, all: ReturnType<Loom['explored']['all']['get']>): readonly Action[] {
  return all.flatMap(({ exploration, state }) => {
    if (state !== 'running' && state !== 'paused') return [];
    const turn = (to: string) => void loom.desk.command('turn_exploration', { exploration, to });
    const [name, to] = state === 'running' ? ['Pause the exploration', 'paused'] : ['Go on exploring', 'running'];
    return [
      { name, act: () => turn(to) },
      { name: 'End the exploration', act: () => turn('stopped') },
    ];
  });
}
