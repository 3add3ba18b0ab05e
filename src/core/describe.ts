import { dialogueDescribers } from './dialogue/describe.ts';
import { asNote, type EventDescribers, type EventDescription } from './events/description.ts';
import type { Event } from './events/event.ts';
import { readEvent } from './events/read.ts';
import { exchangeDescribers } from './exchange/describe.ts';
import { loomDescribers } from './loom/describe.ts';
import { threadDescribers } from './threads/describe.ts';

/** A sentence for each type of event, apart from the registry of modes: reading a log needs no schema of a command. */
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
