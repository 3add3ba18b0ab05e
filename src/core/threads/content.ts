import type { Event } from '../events/event.ts';
import { readEvent } from '../events/read.ts';
import type { ThreadEvent } from './events.ts';
import type { Control } from './schema.ts';

type ThreadContents = { [Known in ThreadEvent as Known['type']]: Known['content'] };

/**
 * Content of an event of this type; undefined for any other type. For the page and the terminal, which do not load
 * schemas.
 */
export function threadContent<Type extends keyof ThreadContents>(
  event: Event,
  type: Type,
): ThreadContents[Type] | undefined {
  return event.type === type ? readEvent<Event<Type, ThreadContents[Type]>>(event).content : undefined;
}

/** Content of a control event. Earlier versions imported some controls without any content. */
export function controlOf(event: Event): Control | undefined {
  return typeof event.content === 'object' ? (threadContent(event, 'control') ?? undefined) : undefined;
}
