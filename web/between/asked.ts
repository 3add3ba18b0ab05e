import type { Asked } from '../explain/asked.ts';
import { createStore } from '../store.ts';

/** The text that somebody wants to open as a thread of its own. */
export const opening = createStore<Asked | undefined>(undefined);

export function openElsewhere(link: string): void {
  opening.set({ link });
}
