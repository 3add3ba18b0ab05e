import { dialogueSearchTexts, dialogueTextPlace } from '../dialogue/view/search-texts.ts';
import type { Event } from '../events/event.ts';
import { exchangeSearchTexts, exchangeTextPlace } from '../exchange/view/search-texts.ts';
import { loomTexts } from '../loom/texts.ts';
import { threadTexts } from '../threads/texts.ts';
import { modeState, type State } from '../workspace.ts';
import type { SearchText } from './kinds.ts';

/** Increase this when the texts of an event or their words change: older indexes are then rebuilt. */
export const TEXTS_VERSION = 2;

const extractors = [threadTexts, dialogueSearchTexts, exchangeSearchTexts, loomTexts];

/** All searchable texts of an event. The position of each in the list never changes. */
export function textsOf(event: Event): readonly SearchText[] {
  for (const extractor of extractors) {
    const texts = extractTexts(extractor, event);
    if (texts.length > 0) return texts;
  }
  return [];
}

/** An event that does not fit its type has no texts: it must not keep others from being found (L25). */
function extractTexts(extractor: (event: Event) => readonly SearchText[], event: Event): readonly SearchText[] {
  try {
    const texts = extractor(event);
    return texts.every(({ text, from = '' }) => typeof text === 'string' && typeof from === 'string') ? texts : [];
  } catch {
    return [];
  }
}

/** The place of a text in its thread. If the event does not determine it, the thread's current state does. */
export function placeOfText(text: SearchText, index: number, event: Event, state: State): string | undefined {
  if (text.at !== undefined || text.kind === 'title') return text.at;
  const dialogue = modeState('dialogue', state);
  if (dialogue) return dialogueTextPlace(dialogue, event, index);
  const exchange = modeState('exchange', state);
  return exchange && exchangeTextPlace(exchange, event, index);
}
