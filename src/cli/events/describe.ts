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

/** An event as people read it; of a newer version's, what it is called and all that it holds. */
export function describeEvent(stored: Event): EventDescription {
  const { type, content, from } = readEvent<Event>(stored);
  const describer = Object.hasOwn(describers, type) ? describers[type] : undefined;
  try {
    if (describer) return describer(content ?? {}, from);
  } catch {
    // It is not written as its type is: what it holds is shown all the same (L25).
  }
  return asNote(`${type} ${JSON.stringify(content)}`);
}
