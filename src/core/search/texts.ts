import type { Event } from '../events/event.ts';
import { modeOf, modeOfEvent } from '../modes.ts';
import { threadTexts } from '../threads/texts.ts';
import type { State } from '../workspace.ts';
import type { SearchText } from './kinds.ts';

/** Increase this when the texts of an event or their words change: older indexes are then rebuilt. */
export const TEXTS_VERSION = 2;

/**
 * All searchable texts of an event. The position of each in the list never changes. An event that does not fit its type
 * has no texts: it must not keep others from being found (L25).
 */
export function textsOf(event: Event): readonly SearchText[] {
  try {
    const texts = modeOfEvent(event.type)?.texts(event) ?? threadTexts(event);
    return texts.every(({ text, from = '' }) => typeof text === 'string' && typeof from === 'string') ? texts : [];
  } catch {
    return [];
  }
}

/** The place of a text in its thread. If the event does not determine it, the thread's current state does. */
export function placeOfText(text: SearchText, index: number, event: Event, state: State): string | undefined {
  if (text.at !== undefined || text.kind === 'title') return text.at;
  return modeOf(state.thread.kind)?.placeOf(state.mode, event, index);
}
