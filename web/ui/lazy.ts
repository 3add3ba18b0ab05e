import { type ComponentType, lazy } from 'react';
import { sleep } from '../data/sleep.ts';

const RETRY_MS = 1_000;

/** A component loaded on demand; loading is retried if the server does not answer. */
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
