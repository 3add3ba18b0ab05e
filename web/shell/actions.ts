import { useEffect, useLayoutEffect, useRef } from 'react';
import { browserStorage } from '../data/browser-storage.ts';
import { createStore } from '../data/store.ts';
import { handleAsText, switchToShortcuts } from './letter-keys.ts';

/**
 * An action that is available here. It is defined once: its keys, its line in the palette and its
 * line in the key map all come from this definition.
 */
export interface Action {
  /** The name in words: "Reply to the selected message". */
  readonly name: string;
  /** Key names as in keyboard events, "r", "ArrowDown", "Ctrl+k"; each of them runs the action. */
  readonly keys?: readonly string[];
  /** Absent for an action that only a key runs, such as Enter in a field: only the key map lists it. */
  readonly act?: () => void;
  /** Whether the action is available now; default true. */
  readonly when?: boolean;
  /** One of many similar actions, such as one per person: the palette lists it only when the query matches. */
  readonly many?: true;
  /** Something else handles its keys, such as an editor. */
  readonly heard?: 'elsewhere';
}

/** The actions of one place, under its name in the key map: "This thread". */
export interface ActionGroup {
  readonly label: string;
  readonly actions: readonly Action[];
}

/** The label of the frame's actions, which come after the room's. */
export const THIS_PAGE = 'This page';
export const EVERYWHERE = 'Everywhere';
const LAST_GROUPS: readonly string[] = [THIS_PAGE, EVERYWHERE];
/** What is over the page hears its own keys. */
const MODAL = 'dialog[open], [data-modal], [role=dialog][data-open], [role=menu][data-open], [role=listbox][data-open]';
const activeGroups = new Set<{ readonly current: ActionGroup }>();
/** Counts changes of what there is to do, for a palette that is open meanwhile. */
export const actionChanges = createStore(0);

/** Registers actions while this part of the page is shown. */
export function useActions(label: string, actions: readonly Action[]): void {
  const group = useRef<ActionGroup>({ label, actions });
  group.current = { label, actions };
  // Runs before the first paint, so that a key pressed as soon as a room appears works.
  useLayoutEffect(() => {
    activeGroups.add(group);
    return () => void activeGroups.delete(group);
  }, []);
  const count = actions.length;
  // biome-ignore lint/correctness/useExhaustiveDependencies: actions of their own come and go in numbers
  useEffect(() => actionChanges.set((changes) => changes + 1), [count]);
}

/** The same as a component, for a part that is only sometimes shown. */
export function Actions({ label, actions }: ActionGroup): null {
  useActions(label, actions);
  return null;
}

/** The available actions: the room's groups first, groups of the same name merged. */
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

/** The action a key runs now, if any. */
export function findAction(name: string, groups: readonly ActionGroup[]): Action | undefined {
  return groups
    .flatMap(({ actions }) => actions)
    .find(({ keys, act, heard }) => act && heard === undefined && keys?.includes(name));
}

/** Handles every key on the page, except while typing or under a sheet. Returns a function that stops it. */
export function listenForKeys(): () => void {
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.defaultPrevented || event.isComposing || document.querySelector(MODAL)) return;
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

/** A key name as people read it. */
export function formatKey(name: string): string {
  if (/^\p{Lu}$/u.test(name)) return `Shift ${name}`;
  if (name.startsWith('Ctrl+')) return `Ctrl ${name.slice('Ctrl+'.length).toUpperCase()}`;
  return KEY_SYMBOLS[name] ?? name;
}

/** Also looks inside a shadow tree, whose elements are not the event's target. */
function isEditable(target: EventTarget | undefined): boolean {
  return target instanceof HTMLElement && target.closest('input, textarea, select, [contenteditable]') !== null;
}
