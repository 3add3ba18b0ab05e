import { useLayoutEffect, useRef } from 'react';
import { browserStorage } from '../data/browser-storage.ts';
import { handleAsText, switchToShortcuts } from './letter-keys.ts';

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
export interface ActionGroup {
  readonly label: string;
  readonly actions: readonly Action[];
}

/** What the frame says, behind what the room says. */
export const THIS_PAGE = 'This page';
export const EVERYWHERE = 'Everywhere';
const LAST_GROUPS: readonly string[] = [THIS_PAGE, EVERYWHERE];
const activeGroups = new Set<{ readonly current: ActionGroup }>();

/** What can be done while this part of the page is shown. */
export function useActions(label: string, actions: readonly Action[]): void {
  const group = useRef<ActionGroup>({ label, actions });
  group.current = { label, actions };
  // Before anything is painted: a key pressed at the first sight of a room is heard.
  useLayoutEffect(() => {
    activeGroups.add(group);
    return () => void activeGroups.delete(group);
  }, []);
}

/** The same for a part that is shown only sometimes. */
export function Actions({ label, actions }: ActionGroup): null {
  useActions(label, actions);
  return null;
}

/** What can be done now: the room's own places first, those of one name together. */
export function currentActionGroups(): readonly ActionGroup[] {
  return mergeGroups([...activeGroups].map(({ current }) => current));
}

export function mergeGroups(groups: readonly ActionGroup[]): readonly ActionGroup[] {
  const byLabel = Map.groupBy(groups, ({ label }) => label);
  const merged = [...byLabel].map(([label, parts]) => ({
    label,
    actions: parts.flatMap(({ actions }) => actions).filter(({ when }) => when !== false),
  }));
  return merged
    .filter(({ actions }) => actions.length > 0)
    .sort((a, b) => LAST_GROUPS.indexOf(a.label) - LAST_GROUPS.indexOf(b.label));
}

/** What a key does now, if anything. */
export function findAction(name: string, groups: readonly ActionGroup[]): Action | undefined {
  return groups
    .flatMap(({ actions }) => actions)
    .find(({ keys, act, heard }) => act && heard === undefined && keys?.includes(name));
}

/** Hears every key of the page, unless somebody is writing or a sheet lies over it. Returns how to stop. */
export function listenForKeys(): () => void {
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.defaultPrevented || event.isComposing || document.querySelector('dialog[open]')) return;
    const name = keyName(event);
    const isFirstEscape = name === 'Escape' && switchToShortcuts();
    if (!name.startsWith('Ctrl+') && isEditable(event.composedPath()[0])) return;
    if (handleAsText(event) || (name.length === 1 && !browserStorage.hasLetterKeys())) return;
    // The first Esc leaves the text and what the room has open, not what goes on around it, such as the tour.
    const action = findAction(name, isFirstEscape ? currentActionGroups().filter(isRoomGroup) : currentActionGroups());
    if (!action?.act) return;
    event.preventDefault();
    action.act();
  };
  addEventListener('keydown', onKeyDown);
  return () => removeEventListener('keydown', onKeyDown);
}

function isRoomGroup({ label }: ActionGroup): boolean {
  return !LAST_GROUPS.includes(label);
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

const KEY_SYMBOLS: Readonly<Record<string, string>> = {
  ArrowUp: '↑',
  ArrowDown: '↓',
  ArrowLeft: '←',
  ArrowRight: '→',
  Escape: 'Esc',
};

/** A key as a person reads it. */
export function formatKey(name: string): string {
  if (/^\p{Lu}$/u.test(name)) return `Shift ${name}`;
  if (name.startsWith('Ctrl+')) return `Ctrl ${name.slice('Ctrl+'.length).toUpperCase()}`;
  return KEY_SYMBOLS[name] ?? name;
}

/** Also within a shadow tree, whose parts an event does not name as its target. */
function isEditable(target: EventTarget | undefined): boolean {
  return target instanceof HTMLElement && target.closest('input, textarea, select, [contenteditable]') !== null;
}
