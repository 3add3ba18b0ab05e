import { createStore } from '../data/store.ts';

/** The sheet that is open on a page too narrow for side columns. */
export const activeSheet = createStore<'list' | 'panel' | undefined>(undefined);
