import type { Event } from '../../core/events/event.ts';
import { readEvent } from '../../core/events/read.ts';
import { asNote, type EventDescribers, type EventDescription } from './description.ts';
import { dialogueDescribers } from './dialogue.ts';
import { exchangeDescribers } from './exchange.ts';
import { loomDescribers } from './loom.ts';
import { threadDescribers } from './threads.ts';

const describers: EventDescribers = {
  ...threadDescribers,
  ...dialogueDescribers,
  ...exchangeDescribers,
  ...loomDescribers,
};

/** Describes an event for people. An event type from a newer version shows its name and its whole content. */
export function describeEvent(stored: Event): EventDescription {
  const { type, content, from } = readEvent<Event>(stored);
  const describer = Object.hasOwn(describers, type) ? describers[type] : undefined;
  try {
    if (describer) return describer(content ?? {}, from);
  } catch {
    // The content does not match the event type. Show the raw content instead (L25).
  }
  return asNote(`${type} ${JSON.stringify(content)}`);
}
