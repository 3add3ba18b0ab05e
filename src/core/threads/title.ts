import type { Event } from '../events/event.ts';
import { readEvent } from '../events/read.ts';
import type { ThreadEvent } from './events.ts';

const MAX_LENGTH = 200;

/** A title for display. Earlier versions imported titles that are not strings; those are shown as JSON. */
export function displayTitle(title: unknown): string {
  if (typeof title === 'string') return title;
  const text = JSON.stringify(title) ?? '';
  return text.length <= MAX_LENGTH ? text : `${text.slice(0, MAX_LENGTH - 1).toWellFormed()}…`;
}

/** The title that an event gives its thread, for display; undefined if it gives none. */
export function titleGivenBy(stored: Event): string | undefined {
  const event = readEvent<ThreadEvent>(stored);
  if (event.type !== 'thread.created' && event.type !== 'thread.renamed') return undefined;
  return displayTitle(event.content?.title);
}
