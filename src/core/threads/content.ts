import type { Event } from '../events/event.ts';
import { readEvent } from '../events/read.ts';
import type { ThreadEvent } from './events.ts';
import type { Control } from './schema.ts';

type ThreadContents = { [Known in ThreadEvent as Known['type']]: Known['content'] };

/** What an event of this type holds; undefined for any other. For the page and the terminal, which do without schemas. */
export function threadContent<Type extends keyof ThreadContents>(
  event: Event,
  type: Type,
): ThreadContents[Type] | undefined {
  return event.type === type ? readEvent<Event<Type, ThreadContents[Type]>>(event).content : undefined;
}

/** What a control asks for. Earlier versions took in some from files that ask for nothing. */
export function controlOf(event: Event): Control | undefined {
  return typeof event.content === 'object' ? (threadContent(event, 'control') ?? undefined) : undefined;
}
