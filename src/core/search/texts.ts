import { dialogueSearchTexts, dialogueTextPlace } from '../dialogue/view/search-texts.ts';
import type { Event } from '../events/event.ts';
import { exchangeSearchTexts, exchangeTextPlace } from '../exchange/view/search-texts.ts';
import { loomTexts } from '../loom/texts.ts';
import { threadTexts } from '../threads/texts.ts';
import { modeState, type State } from '../workspace.ts';
import type { SearchText } from './kinds.ts';

/** Goes up when the texts of an event or its words change: an index made before is then made anew. */
export const TEXTS_VERSION = 2;

const extractors = [threadTexts, dialogueSearchTexts, exchangeSearchTexts, loomTexts];

/** Every text that an event brings to be found, each at its own place in the list for good. */
export function textsOf(event: Event): readonly SearchText[] {
  for (const extractor of extractors) {
    const texts = extractTexts(extractor, event);
    if (texts.length > 0) return texts;
  }
  return [];
}

/** An event that is not written as its type is has no texts: it must not keep others from being found (L25). */
function extractTexts(extractor: (event: Event) => readonly SearchText[], event: Event): readonly SearchText[] {
  try {
    const texts = extractor(event);
    return texts.every(({ text, from = '' }) => typeof text === 'string' && typeof from === 'string') ? texts : [];
  } catch {
    return [];
  }
}

/** What in its thread a text is: of the rest, the thread's state as it is now knows more than the event. */
export function placeOfText(text: SearchText, index: number, event: Event, state: State): string | undefined {
  if (text.at !== undefined || text.kind === 'title') return text.at;
  const dialogue = modeState('dialogue', state);
  if (dialogue) return dialogueTextPlace(dialogue, event, index);
  const exchange = modeState('exchange', state);
  return exchange && exchangeTextPlace(exchange, event, index);
}
