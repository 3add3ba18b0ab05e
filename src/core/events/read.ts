import { loomUpcasts } from '../loom/upcasts.ts';
import type { Event } from './event.ts';
import type { Upcast, Upcasts } from './upcast.ts';

const upcasts: ReadonlyMap<string, readonly Upcast[]> = new Map(Object.entries<Upcasts[string]>({ ...loomUpcasts }));

/** An event as it was stored or as it travels. */
export type ReadableEvent = Pick<Event, 'type' | 'content' | 'v'>;

/**
 * A stored event as the newest version of its type would have been written. This is the one place where what is stored
 * becomes what is typed: imports and appends are checked against the schemas, and folds let pass what they do not know
 * (L3).
 */
export function readEvent<Known extends Event<string, unknown>>(stored: ReadableEvent): Known {
  const steps = upcasts.get(stored.type);
  if (!steps || stored.v > steps.length) return stored as Known;
  const content = steps.slice(stored.v - 1).reduce((older, upcast) => upcast(older), stored.content);
  return { ...stored, v: steps.length + 1, content } as Known;
}

/** The last case of a closed switch over events: what this version does not know changes nothing (L3). */
export function ignoreUnknown<State>(state: State, _event: never): State {
  return state;
}
