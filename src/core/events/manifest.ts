import { allModes } from '../modes.ts';
import { poolEvents } from '../pool/events.ts';
import { threadEvents } from '../threads/events.ts';
import type { EventDefinition } from './define.ts';

/** All event types (L3). A second definition of the same name fails when the program loads. */
export const manifest = buildManifest(threadEvents, poolEvents, ...allModes.map(({ events }) => events));

export function buildManifest(
  ...groups: readonly (readonly EventDefinition[])[]
): ReadonlyMap<string, EventDefinition> {
  const types = new Map<string, EventDefinition>();
  for (const definition of groups.flat()) {
    if (types.has(definition.type)) throw new Error(`The event type "${definition.type}" is defined twice.`);
    types.set(definition.type, definition);
  }
  return types;
}
