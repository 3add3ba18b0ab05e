import { createStore } from '../data/store.ts';
import type { ExplainTarget } from '../explain/target.ts';

/** A text that is to go to another thread. */
export interface TransferRequest {
  /** Its address. */
  readonly link: string;
  /** What has to be done before the text is what is shown. */
  settle?(): Promise<unknown>;
}

/** The text that somebody wants to open as a thread of its own. */
export const openRequest = createStore<ExplainTarget | undefined>(undefined);
/** The text that somebody wants to bring to another thread. */
export const bringRequest = createStore<TransferRequest | undefined>(undefined);
/** What is meant in a room that is one text, wherever one stands in it. */
export const roomText = createStore<TransferRequest | undefined>(undefined);

export function requestOpen(link: string): void {
  openRequest.set({ link });
}

export function requestBring(link: string): void {
  bringRequest.set({ link });
}
