import { browserStorage } from '../data/browser-storage.ts';
import { createStore, deriveStore } from '../data/store.ts';
import { activeSheet } from '../shell/frame.tsx';

/** What the person chose; undefined: as the room has it. */
const chosenFolded = createStore(browserStorage.panelFolded());
/** Whether the room has its panel closed until somebody opens it. */
export const roomFolded = createStore(false);
export const panelFolded = deriveStore([chosenFolded, roomFolded], () => chosenFolded.get() ?? roomFolded.get());

export function togglePanel(): void {
  if (matchMedia('(min-width: 1080px)').matches) {
    chosenFolded.set(!panelFolded.get());
    browserStorage.setPanelFolded(panelFolded.get());
  } else activeSheet.set(activeSheet.get() === 'panel' ? undefined : 'panel');
}

/** Shows the panel whether it is folded or a closed sheet. */
export function showPanel(): void {
  if (!matchMedia('(min-width: 1080px)').matches) activeSheet.set('panel');
  else if (panelFolded.get()) togglePanel();
}
