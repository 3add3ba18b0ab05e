import { useSyncExternalStore } from 'react';

/** A value that others can watch. */
export interface Store<Value> {
  get(): Value;
  set(value: Value | ((previous: Value) => Value)): void;
  watch(onChange: () => void): () => void;
}

export function createStore<Value>(initial: Value): Store<Value> {
  const watchers = new Set<() => void>();
  let value = initial;
  return {
    get: () => value,
    set(next) {
      const nextValue = typeof next === 'function' ? (next as (previous: Value) => Value)(value) : next;
      if (Object.is(nextValue, value)) return;
      value = nextValue;
      for (const onChange of [...watchers]) onChange();
    },
    watch(onChange) {
      watchers.add(onChange);
      return () => void watchers.delete(onChange);
    },
  };
}

/** A value derived from other stores, recomputed on the first read after one of them has changed. */
export function deriveStore<Value>(
  sources: readonly Pick<Store<unknown>, 'watch'>[],
  compute: () => Value,
): Pick<Store<Value>, 'get' | 'watch'> {
  let cached: { readonly value: Value } | undefined;
  const invalidate = () => {
    cached = undefined;
  };
  for (const store of sources) store.watch(invalidate);
  return {
    get() {
      cached ??= { value: compute() };
      return cached.value;
    },
    watch(onChange) {
      const unwatchers = sources.map((store) => store.watch(onChange));
      return () => unwatchers.forEach((unwatch) => void unwatch());
    },
  };
}

export function useStore<Value>(store: Pick<Store<Value>, 'get' | 'watch'>): Value {
  return useSyncExternalStore(store.watch, store.get, store.get);
}

/** A part of a value: only a change of that part draws anew. The part is a primitive, or an object that stays the same. */
export function useSelected<Value, Part>(
  store: Pick<Store<Value>, 'get' | 'watch'>,
  select: (value: Value) => Part,
): Part {
  const get = () => select(store.get());
  return useSyncExternalStore(store.watch, get, get);
}

/** Runs `work` once more if it was called while running: the last call is always served, and two never run at once. */
export function coalesce(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  let isRequested = false;
  return () => {
    isRequested = true;
    running ??= (async () => {
      try {
        while (isRequested) {
          isRequested = false;
          await work();
        }
      } finally {
        running = undefined;
      }
    })();
    return running;
  };
}
