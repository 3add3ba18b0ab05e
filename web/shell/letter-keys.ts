// In a room, letters are text until Esc is pressed (I32): a person who opens one and types at once writes, and starts
// nothing. What is typed while the room is still opening waits here for its composer.
import { type RefObject, useLayoutEffect } from 'react';

interface LetterTarget {
  focus(): void;
  insert(text: string): void;
}

let currentRoom: string | undefined;
let areLettersShortcuts = true;
let letterTarget: LetterTarget | undefined;
let typedAhead = '';
let roomsBeingCreated = 0;

/** Sets the open room, if any. Outside of rooms, letters are shortcuts, and these only open things. */
export function useRoomLetters(enteredRoom: string | undefined): void {
  useLayoutEffect(() => {
    if (currentRoom !== undefined || enteredRoom === undefined) typedAhead = '';
    currentRoom = enteredRoom;
    areLettersShortcuts = enteredRoom === undefined;
  }, [enteredRoom]);
}

/** Text typed while a room is being created goes to that room. */
export async function whileCreatingRoom<Result>(work: () => Promise<Result>): Promise<Result> {
  roomsBeingCreated++;
  try {
    return await work();
  } catch (error) {
    typedAhead = '';
    throw error;
  } finally {
    roomsBeingCreated--;
  }
}

/** Sends the letters typed in this room to a field. */
export function useLetterField(field: RefObject<HTMLTextAreaElement | null>): void {
  useLayoutEffect(() => {
    const element = field.current;
    if (!element) return;
    return registerLetterTarget(element, {
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

/** Sends this room's letters to an element, first those typed before it appeared. Returns a function that stops it. */
export function registerLetterTarget(element: HTMLElement, target: LetterTarget): () => void {
  const onInput = () => {
    areLettersShortcuts = currentRoom === undefined;
  };
  letterTarget = target;
  element.addEventListener('input', onInput);
  if (typedAhead !== '') {
    target.insert(typedAhead);
    target.focus();
    typedAhead = '';
  }
  return () => {
    element.removeEventListener('input', onInput);
    if (letterTarget === target) letterTarget = undefined;
  };
}

/** Makes letters shortcuts after Esc, until something is written. Returns true if they were text before. */
export function switchToShortcuts(): boolean {
  const wereText = !areLettersShortcuts;
  areLettersShortcuts = true;
  typedAhead = '';
  return wereText;
}

/** Returns whether a key pressed outside of any field is text, not a shortcut; if so, it goes to the letter target. */
export function handleAsText(event: KeyboardEvent): boolean {
  const isOpening =
    roomsBeingCreated > 0 || (!areLettersShortcuts && !letterTarget && document.querySelector('main[aria-busy=true]'));
  if (isOpening) {
    if (!isTextKey(event) && !(event.key === 'Enter' && typedAhead !== '')) return false;
    if (isTextKey(event)) typedAhead += event.key;
    event.preventDefault();
    return true;
  }
  if (areLettersShortcuts || !isTextKey(event)) return false;
  const isOnControl = document.activeElement !== null && document.activeElement !== document.body;
  // The browser then writes the letter into the focused field. A space presses a focused button.
  if (event.key !== ' ' || !isOnControl) letterTarget?.focus();
  return true;
}

function isTextKey(event: KeyboardEvent): boolean {
  const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey;
  return [...event.key].length === 1 && (isPlain || event.getModifierState('AltGraph'));
}
