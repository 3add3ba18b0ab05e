import { createStore } from '../data/store.ts';
import type { ExplainTarget } from '../explain/target.ts';

/** A request to send a text to another thread. */
export interface TransferRequest {
  /** The text's address. */
  readonly link: string;
  /** Work to finish first, so that the stored text equals the one shown. */
  settle?(): Promise<unknown>;
}

/** The text to open as a new thread. */
export const openRequest = createStore<ExplainTarget | undefined>(undefined);
/** The text to send to another thread. */
export const bringRequest = createStore<TransferRequest | undefined>(undefined);
/** The text that actions refer to in a room that consists of one text, wherever the focus is. */
export const roomText = createStore<TransferRequest | undefined>(undefined);

export function requestOpen(link: string): void {
  openRequest.set({ link });
}

export function requestBring(link: string): void {
  bringRequest.set({ link });
}
