// In a room, letters are text until Esc is pressed (I11): a person who opens one and types at once writes, and starts
// nothing. What is typed while the room is still opening waits here for its composer.
import { type RefObject, useLayoutEffect } from 'react';

interface Composer {
  focus(): void;
  insert(text: string): void;
}

let room: string | undefined;
let areShortcuts = true;
let composer: Composer | undefined;
let typedAhead = '';
let beginning = 0;

/** Which room is open, if any; outside of rooms letters are shortcuts, and only open things. */
export function useLettersOf(entered: string | undefined): void {
  useLayoutEffect(() => {
    if (room !== undefined || entered === undefined) typedAhead = '';
    room = entered;
    areShortcuts = entered === undefined;
  }, [entered]);
}

/** While a room is being created, what is typed is meant for it. */
export async function beginRoom<Made>(work: () => Promise<Made>): Promise<Made> {
  beginning++;
  try {
    return await work();
  } catch (error) {
    typedAhead = '';
    throw error;
  } finally {
    beginning--;
  }
}

/** The field that letters of this room go to. */
export function useComposer(field: RefObject<HTMLTextAreaElement | null>): void {
  useLayoutEffect(() => {
    const element = field.current;
    if (!element) return;
    return takeLetters(element, {
      focus() {
        element.focus();
        element.setSelectionRange(element.value.length, element.value.length);
      },
      insert(text) {
        element.setRangeText(text, element.value.length, element.value.length, 'end');
        element.dispatchEvent(new Event('input', { bubbles: true }));
      },
    });
  }, [field]);
}

/** Gives the letters of this room to an element, first those that were typed before it was there. Returns how to stop. */
export function takeLetters(element: HTMLElement, taker: Composer): () => void {
  const written = () => {
    areShortcuts = room === undefined;
  };
  composer = taker;
  element.addEventListener('input', written);
  if (typedAhead !== '') {
    taker.insert(typedAhead);
    taker.focus();
    typedAhead = '';
  }
  return () => {
    element.removeEventListener('input', written);
    if (composer === taker) composer = undefined;
  };
}

/** Esc was pressed: letters are shortcuts until something is written. True if they were text before. */
export function makeShortcuts(): boolean {
  const wereText = !areShortcuts;
  areShortcuts = true;
  typedAhead = '';
  return wereText;
}

/** Whether a key, pressed outside of any field, is text and not a shortcut; then it goes to where one writes. */
export function takeAsText(event: KeyboardEvent): boolean {
  const isOpening = beginning > 0 || (!areShortcuts && !composer && document.querySelector('main[aria-busy=true]'));
  if (isOpening) {
    if (!isText(event) && !(event.key === 'Enter' && typedAhead !== '')) return false;
    if (isText(event)) typedAhead += event.key;
    event.preventDefault();
    return true;
  }
  if (areShortcuts || !isText(event)) return false;
  const isOnControl = document.activeElement !== null && document.activeElement !== document.body;
  // The browser then writes the letter where the focus is. A space presses the button that has the focus.
  if (event.key !== ' ' || !isOnControl) composer?.focus();
  return true;
}

function isText(event: KeyboardEvent): boolean {
  const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey;
  return [...event.key].length === 1 && (isPlain || event.getModifierState('AltGraph'));
}
