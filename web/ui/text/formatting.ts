import { browserStorage } from '../../data/browser-storage.ts';
import { createStore } from '../../data/store.ts';

/** Whether texts are shown formatted, or exactly as they were written. */
export const showsFormatted = createStore(browserStorage.showsFormatted());

export function setFormatted(isFormatted: boolean): void {
  showsFormatted.set(isFormatted);
  browserStorage.setFormatted(isFormatted);
}
