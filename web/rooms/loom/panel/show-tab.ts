import { flushSync } from 'react-dom';
import { showPanel } from '../../panel-state.ts';
import type { OpenLoom, PanelTab } from '../loom.ts';

/** Opens the panel at a tab and moves the focus there. */
export function showTab(loom: OpenLoom, tab: PanelTab): void {
  flushSync(() => {
    loom.tab.set(tab);
    showPanel();
  });
  document.querySelector<HTMLElement>('[data-loom-panel] [role=tab][aria-selected=true]')?.focus();
}
