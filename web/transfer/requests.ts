import { createStore } from '../data/store.ts';
import type { Asked } from '../explain/target.ts';

/** A text that is to go to another thread. */
export interface Bringing {
  /** Its address. */
  readonly link: string;
  /** What has to be done before the text is what is shown. */
  settle?(): Promise<unknown>;
}

/** The text that somebody wants to open as a thread of its own. */
export const opening = createStore<Asked | undefined>(undefined);
/** The text that somebody wants to bring to another thread. */
export const bringing = createStore<Bringing | undefined>(undefined);
/** What is meant in a room that is one text, wherever one stands in it. */
export const wholeText = createStore<Bringing | undefined>(undefined);

export function openElsewhere(link: string): void {
  opening.set({ link });
}

export function bringElsewhere(link: string): void {
  bringing.set({ link });
}
