import { type ComponentType, lazy } from 'react';
import { sleep } from '../data/room-loader.tsx';

const RETRY_MS = 1_000;

/** A part of the page that is read when it is wanted, and asked for again where the server does not answer just then. */
export function lazyWithRetry<Props>(load: () => Promise<ComponentType<Props>>) {
  return lazy(async () => {
    for (;;) {
      try {
        return { default: await load() };
      } catch {
        await sleep(RETRY_MS);
      }
    }
  });
}
