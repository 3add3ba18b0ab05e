import type { Event } from '../events/event.ts';
import { readEvent } from '../events/read.ts';
import { displayTitle } from '../text/display-title.ts';
import type { ThreadEvent } from './events.ts';

/** The title that an event gives its thread, for display; undefined if it gives none. */
export function titleGivenBy(stored: Event): string | undefined {
  const event = readEvent<ThreadEvent>(stored);
  if (event.type !== 'thread.created' && event.type !== 'thread.renamed') return undefined;
  return displayTitle(event.content?.title);
}
