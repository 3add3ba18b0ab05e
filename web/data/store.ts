import { useSyncExternalStore } from 'react';

/** A value that others can watch. */
export interface Store<Value> {
  get(): Value;
  set(value: Value | ((before: Value) => Value)): void;
  watch(changed: () => void): () => void;
}

export function createStore<Value>(first: Value): Store<Value> {
  const watchers = new Set<() => void>();
  let value = first;
  return {
    get: () => value,
    set(next) {
      const after = typeof next === 'function' ? (next as (before: Value) => Value)(value) : next;
      if (Object.is(after, value)) return;
      value = after;
      for (const changed of [...watchers]) changed();
    },
    watch(changed) {
      watchers.add(changed);
      return () => void watchers.delete(changed);
    },
  };
}

/** A value made of others, found anew when it is asked for after one of them has changed. */
export function derived<Value>(
  from: readonly Pick<Store<unknown>, 'watch'>[],
  make: () => Value,
): Pick<Store<Value>, 'get' | 'watch'> {
  let known: { readonly value: Value } | undefined;
  const forget = () => {
    known = undefined;
  };
  for (const store of from) store.watch(forget);
  return {
    get() {
      known ??= { value: make() };
      return known.value;
    },
    watch(changed) {
      const stops = from.map((store) => store.watch(changed));
      return () => stops.forEach((stop) => void stop());
    },
  };
}

export function useStore<Value>(store: Pick<Store<Value>, 'get' | 'watch'>): Value {
  return useSyncExternalStore(store.watch, store.get);
}

/** Runs `work` again after it ended if it was asked for meanwhile: the last wish is always served, never two at once. */
export function oneAtATime(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  let again = false;
  return () => {
    again = true;
    running ??= (async () => {
      try {
        while (again) {
          again = false;
          await work();
        }
      } finally {
        running = undefined;
      }
    })();
    return running;
  };
}
