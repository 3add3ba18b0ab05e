import { useLayoutEffect, useRef } from 'react';
import { kept } from '../data/browser-storage.ts';
import { makeShortcuts, takeAsText } from './letter-keys.ts';

/**
 * Something that can be done where one is. It is said once: its keys, its line
 * in the palette and its line in the key map all come from here.
 */
export interface Action {
  /** In words: "Reply to what is marked". */
  readonly name: string;
  /** Names of keys as events bear them, "r", "ArrowDown", "Ctrl+k": each of them does it. */
  readonly keys?: readonly string[];
  /** Absent for what only a key does, such as Enter in a field: it stands in the key map alone. */
  readonly act?: () => void;
  /** Whether it can be done now; it can unless this is false. */
  readonly when?: boolean;
  /** One of many alike, such as one for each person: the palette finds it by what is typed and does not list it before. */
  readonly many?: true;
  /** Its keys are heard by something else, such as an editor. */
  readonly heard?: 'elsewhere';
}

/** Those of one place, under the name by which the key map calls it: "This thread". */
export interface Place {
  readonly where: string;
  readonly actions: readonly Action[];
}

/** What the frame says, behind what the room says. */
export const THIS_PAGE = 'This page';
export const EVERYWHERE = 'Everywhere';
const LAST: readonly string[] = [THIS_PAGE, EVERYWHERE];
const places = new Set<{ readonly current: Place }>();

/** What can be done while this part of the page is shown. */
export function useActions(where: string, actions: readonly Action[]): void {
  const place = useRef<Place>({ where, actions });
  place.current = { where, actions };
  // Before anything is painted: a key pressed at the first sight of a room is heard.
  useLayoutEffect(() => {
    places.add(place);
    return () => void places.delete(place);
  }, []);
}

/** The same for a part that is shown only sometimes. */
export function Actions({ where, actions }: Place): null {
  useActions(where, actions);
  return null;
}

/** What can be done now: the room's own places first, those of one name together. */
export function placesNow(): readonly Place[] {
  return together([...places].map(({ current }) => current));
}

export function together(all: readonly Place[]): readonly Place[] {
  const byName = Map.groupBy(all, ({ where }) => where);
  const merged = [...byName].map(([where, parts]) => ({
    where,
    actions: parts.flatMap(({ actions }) => actions).filter(({ when }) => when !== false),
  }));
  return merged
    .filter(({ actions }) => actions.length > 0)
    .sort((a, b) => LAST.indexOf(a.where) - LAST.indexOf(b.where));
}

/** What a key does now, if anything. */
export function actionFor(name: string, all: readonly Place[]): Action | undefined {
  return all
    .flatMap(({ actions }) => actions)
    .find(({ keys, act, heard }) => act && heard === undefined && keys?.includes(name));
}

/** Hears every key of the page, unless somebody is writing or a sheet lies over it. Returns how to stop. */
export function hearKeys(): () => void {
  const pressed = (event: KeyboardEvent) => {
    if (event.defaultPrevented || event.isComposing || document.querySelector('dialog[open]')) return;
    const name = keyName(event);
    const isFirstEscape = name === 'Escape' && makeShortcuts();
    if (!name.startsWith('Ctrl+') && isWriting(event.composedPath()[0])) return;
    if (takeAsText(event) || (name.length === 1 && !kept.letterKeys())) return;
    // The first Esc leaves the text and what the room has open, not what goes on around it, such as the tour.
    const action = actionFor(name, isFirstEscape ? placesNow().filter(isOfRoom) : placesNow());
    if (!action?.act) return;
    event.preventDefault();
    action.act();
  };
  addEventListener('keydown', pressed);
  return () => removeEventListener('keydown', pressed);
}

function isOfRoom({ where }: Place): boolean {
  return !LAST.includes(where);
}

export function keyName({
  key,
  ctrlKey,
  metaKey,
  altKey,
}: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey'>): string {
  if (altKey) return '';
  return ctrlKey || metaKey ? `Ctrl+${key.toLowerCase()}` : key;
}

const SIGNS: Readonly<Record<string, string>> = {
  ArrowUp: '↑',
  ArrowDown: '↓',
  ArrowLeft: '←',
  ArrowRight: '→',
  Escape: 'Esc',
};

/** A key as a person reads it. */
export function readableKey(name: string): string {
  if (/^\p{Lu}$/u.test(name)) return `Shift ${name}`;
  if (name.startsWith('Ctrl+')) return `Ctrl ${name.slice('Ctrl+'.length).toUpperCase()}`;
  return SIGNS[name] ?? name;
}

/** Also within a shadow tree, whose parts an event does not name as its target. */
function isWriting(target: EventTarget | undefined): boolean {
  return target instanceof HTMLElement && target.closest('input, textarea, select, [contenteditable]') !== null;
}
