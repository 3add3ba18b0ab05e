import type { ComponentType } from 'react';
import { sleep } from '../data/sleep.ts';
import { createStore, useStore } from '../data/store.ts';

const RETRY_MS = 1_000;

/**
 * A component in a file of its own, that is loaded before anybody asks for it. Not `lazy`: React shows what suspended
 * only a while after it has loaded.
 */
export function createLoadable<Props>(load: () => Promise<ComponentType<Props>>) {
  const loaded = createStore<{ readonly Component?: ComponentType<Props> }>({});
  let loading: Promise<void> | undefined;
  async function loadUntilItComes(): Promise<void> {
    while (!loaded.get().Component) {
      const Component = await load().catch(() => undefined);
      if (Component) loaded.set({ Component });
      else await sleep(RETRY_MS); // The server does not answer.
    }
  }
  return {
    load(): Promise<void> {
      loading ??= loadUntilItComes();
      return loading;
    },
    /** Undefined until it has loaded. */
    useComponent: () => useStore(loaded).Component,
  };
}
