import { loomUpcasts } from '../loom/upcasts.ts';
import type { Event } from './event.ts';
import type { Upcast, Upcasts } from './upcast.ts';

const upcasts: ReadonlyMap<string, readonly Upcast[]> = new Map(Object.entries<Upcasts[string]>({ ...loomUpcasts }));

/** The part of an event that is needed to read it, whether stored or sent. */
export type ReadableEvent = Pick<Event, 'type' | 'content' | 'v'>;

/**
 * Upgrades a stored event to the newest version of its type. This is the only place where stored data becomes typed:
 * imports and appends are checked against the schemas, and folds ignore what they do not know (L3).
 */
export function readEvent<Known extends Event<string, unknown>>(stored: ReadableEvent): Known {
  const steps = upcasts.get(stored.type);
  if (!steps || stored.v > steps.length) return stored as Known;
  const content = steps.slice(stored.v - 1).reduce((older, upcast) => upcast(older), stored.content);
  return { ...stored, v: steps.length + 1, content } as Known;
}

/** Last case of an exhaustive switch over events: an event that this version does not know changes nothing (L3). */
export function ignoreUnknown<State>(state: State, _event: never): State {
  return state;
}
