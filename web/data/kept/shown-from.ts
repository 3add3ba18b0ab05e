import { createStore } from '../store.ts';

/** What time the open room is from, in milliseconds, if it is older than the lists. */
export const roomShownFrom = createStore<number | undefined>(undefined);
