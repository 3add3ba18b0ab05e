import { useEffect, useRef } from 'react';
import { kept } from './kept.ts';

/** What a key does, where it is told in the key map. */
export const KEYS: readonly { readonly keys: string; readonly does: string }[] = [
  { keys: 'Ctrl K  or  /', does: 'find a thread' },
  { keys: 'n', does: 'new thread' },
  { keys: 'j  k  or  ↓  ↑', does: 'next, previous in the timeline' },
  { keys: 'Home  End', does: 'the first, the newest' },
  { keys: 'r', does: 'reply to what is marked' },
  { keys: 'c', does: 'write' },
  { keys: '@', does: 'mention someone; ↓ ↑ choose, Enter or Tab takes' },
  { keys: 'Enter', does: 'send; Shift Enter begins a new line' },
  { keys: 'a', does: 'in a dialogue: accept the draft you look at' },
  { keys: 'e', does: 'edit it, then accept; Ctrl Enter accepts' },
  { keys: 'd', does: 'its difference to the one above' },
  { keys: 'w  or  ←  →', does: 'where it came from, sentence by sentence' },
  { keys: 's', does: 'steer the mind' },
  { keys: 'g', does: 'let the mind think, hold it, go on' },
  { keys: '.', does: 'let it think one step' },
  { keys: 'i  o', does: 'in an exchange: speak from outside, as the observer; a asks for an audit' },
  { keys: 'v', does: 'hide the thought you are at from sampling' },
  { keys: 't', does: 'the terms, and back; e amends them' },
  { keys: '1 … 5', does: 'answer a request for a restart' },
  { keys: 'b', does: 'branch from here' },
  { keys: 'p', does: 'show or fold the panel beside' },
  { keys: 'Esc', does: 'leave what you are in; text is kept' },
  { keys: '?', does: 'this list' },
];

export type KeyTable = Readonly<Record<string, (event: KeyboardEvent) => void>>;

/** Calls the table's entry for a key, unless somebody is writing or a sheet lies over the page. */
export function useKeys(table: KeyTable): void {
  const current = useRef(table);
  current.current = table;
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.isComposing) return;
      const name = nameOf(event);
      const act = Object.hasOwn(current.current, name) ? current.current[name] : undefined;
      if (!act || document.querySelector('dialog[open]')) return;
      if (name !== 'Ctrl+k' && isWriting(event.composedPath()[0])) return;
      if (name.length === 1 && !kept.letterKeys()) return;
      event.preventDefault();
      act(event);
    };
    addEventListener('keydown', pressed);
    return () => removeEventListener('keydown', pressed);
  }, []);
}

function nameOf({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): string {
  if (altKey) return '';
  return ctrlKey || metaKey ? `Ctrl+${key.toLowerCase()}` : key;
}

/** Also within a shadow tree, whose parts an event does not name as its target. */
function isWriting(target: EventTarget | undefined): boolean {
  return target instanceof HTMLElement && target.closest('input, textarea, select, [contenteditable]') !== null;
}
