import { connection } from '../connection.ts';
import type { Store } from '../store.ts';
import { ONLY, readKept, writeKept } from './database.ts';

const DELAY_MS = 2_000;

interface KeptStore {
  value(): unknown;
  restore(value: never): void;
  watch: Store<unknown>['watch'];
}
const keptStores = new Map<string, KeptStore>();

/** Makes a store part of what the page shows when it opens without a server (I22). `shrink` bounds what is kept of it. */
export function keepStore<Value>(name: string, store: Store<Value>, shrink = (value: Value) => value): void {
  keptStores.set(name, {
    value: () => shrink(store.get()),
    restore: (value: Value) => store.set(value),
    watch: store.watch,
  });
}

/** Keeps what the lists show, from now on. Returns a function that stops it. */
export function keepPage(): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** When the page was last known to be up to date. */
  let at = Date.now();
  let isLive = false;
  const write = () => {
    clearTimeout(timer);
    timer = undefined;
    if (isLive) at = Date.now();
    isLive = connection.get() === 'open';
    const values = Object.fromEntries([...keptStores].map(([name, { value }]) => [name, value()]));
    void writeKept(({ page }) => page.put({ at, values }, ONLY));
  };
  const writeSoon = () => {
    timer ??= setTimeout(write, DELAY_MS);
  };
  const onHide = () => document.visibilityState === 'hidden' && write();
  const stops = [...[...keptStores.values()].map(({ watch }) => watch(writeSoon)), connection.watch(writeSoon)];
  addEventListener('pagehide', write);
  document.addEventListener('visibilitychange', onHide);
  write();
  return () => {
    clearTimeout(timer);
    for (const stop of stops) stop();
    removeEventListener('pagehide', write);
    document.removeEventListener('visibilitychange', onHide);
  };
}

/** Shows the lists as they last were. Returns when that was, in milliseconds; undefined if nothing is kept. */
export async function restorePage(): Promise<number | undefined> {
  const kept = await readKept(({ page }) => page.get(ONLY));
  if (!kept) return undefined;
  for (const [name, store] of keptStores) if (name in kept.values) store.restore(kept.values[name] as never);
  return kept.at;
}
