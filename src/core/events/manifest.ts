import type { ZodType } from 'zod';
import type { Mode, ModeCommands } from '../mode.ts';
import { modes } from '../modes.ts';
import { poolEvents } from '../pool/events.ts';
import { threadEvents } from '../threads/events.ts';

export interface EventType {
  readonly type: string;
  readonly v: number;
  /** Live types travel on the stream and are never stored (L4). */
  readonly durable: boolean;
  readonly schema: ZodType;
}

/** Every type of event there is (L3). A second definition of a name fails when the program loads. */
const modeEvents = (Object.values(modes) as unknown as readonly Mode<unknown, ModeCommands>[]).map(
  ({ events }) => events,
);
export const manifest = buildManifest(threadEvents, poolEvents, ...modeEvents);

export function buildManifest(...groups: readonly (readonly EventType[])[]): ReadonlyMap<string, EventType> {
  const types = new Map<string, EventType>();
  for (const definition of groups.flat()) {
    if (types.has(definition.type)) throw new Error(`The event type "${definition.type}" is defined twice.`);
    types.set(definition.type, definition);
  }
  return types;
}
