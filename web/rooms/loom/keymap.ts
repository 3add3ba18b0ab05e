import type { KeyBinding } from '@codemirror/view';

/** The actions that keys can have in a loom, in display order. */
export const ACTION_LABELS = {
  generate: 'generate from the end of the text',
  generateHere: 'continue from the caret',
  fill: 'fill in at the caret',
  stop: 'stop generating',
  nextBranch: 'next branch',
  previousBranch: 'previous branch',
  nextVersion: 'next version',
  previousVersion: 'previous version',
  parent: 'previous node',
  child: 'next node',
  who: 'who wrote this, how likely it was, and where it came from',
  sides: 'compare branches',
  split: 'split at the caret',
  merge: 'merge with the node before',
  bookmark: 'bookmark, or remove it',
  prune: 'prune this branch, or restore it',
  find: 'find in this loom',
  save: 'save what you wrote',
  undo: 'undo',
  redo: 'redo',
} as const;

export type ActionName = keyof typeof ACTION_LABELS;
export type ActionHandlers = Readonly<Record<ActionName, () => void>>;
export type Bindings = Readonly<Record<ActionName, string>>;

const heddlePreset: Bindings = {
  generate: 'Ctrl-Space',
  generateHere: 'Ctrl-Shift-Space',
  fill: 'Alt-i',
  stop: 'Ctrl-.',
  nextBranch: 'Alt-ArrowDown',
  previousBranch: 'Alt-ArrowUp',
  nextVersion: 'Alt-Shift-ArrowDown',
  previousVersion: 'Alt-Shift-ArrowUp',
  parent: 'Alt-ArrowLeft',
  child: 'Alt-ArrowRight',
  who: 'Alt-w',
  sides: 'Alt-d',
  split: 'Alt-s',
  merge: 'Alt-m',
  bookmark: 'Alt-b',
  prune: 'Alt-Delete',
  find: 'Mod-f',
  save: 'Mod-s',
  undo: 'Mod-z',
  redo: 'Mod-Shift-z',
};

export const PRESETS = {
  heddle: heddlePreset,
  loomsidian: { ...heddlePreset, prune: 'Alt-Backspace', generateHere: 'Alt-Space', redo: 'Mod-y' },
  pyloom: {
    ...heddlePreset,
    generate: 'Alt-g',
    generateHere: 'Alt-Shift-g',
    parent: 'Alt-h',
    child: 'Alt-l',
    nextBranch: 'Alt-j',
    previousBranch: 'Alt-k',
    nextVersion: 'Alt-Shift-j',
    previousVersion: 'Alt-Shift-k',
    prune: 'Alt-Backspace',
  },
} as const satisfies Record<string, Bindings>;

export type PresetName = keyof typeof PRESETS;
export const PRESET_NAMES = Object.keys(PRESETS) as readonly PresetName[];

export interface KeySettings {
  readonly preset: PresetName;
  readonly own: Partial<Bindings>;
}

export function bindingsOf({ preset, own }: KeySettings): Bindings {
  return { ...(PRESETS[preset] ?? heddlePreset), ...own };
}

export function keymapOf(actions: ActionHandlers, bindings: Bindings): KeyBinding[] {
  return (Object.keys(ACTION_LABELS) as ActionName[]).map((name) => ({
    key: bindings[name],
    preventDefault: true,
    run() {
      actions[name]();
      return true;
    },
  }));
}

/** Converts a key press to a binding; undefined for a modifier key alone. */
export function bindingFromEvent(event: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'altKey' | 'shiftKey' | 'metaKey'>) {
  if (['Control', 'Alt', 'Shift', 'Meta', 'Dead', 'AltGraph'].includes(event.key)) return undefined;
  const key = event.key === ' ' ? 'Space' : event.key.length === 1 ? event.key.toLowerCase() : event.key;
  const isPlain = !event.ctrlKey && !event.altKey && !event.metaKey;
  if (isPlain && !/^F\d+$/.test(key)) return undefined;
  const modifiers = [
    event.ctrlKey && 'Ctrl',
    event.metaKey && 'Meta',
    event.altKey && 'Alt',
    event.shiftKey && 'Shift',
  ];
  return [...modifiers.filter(Boolean), key].join('-');
}

/** Formats a binding for display. */
export function formatBinding(binding: string): string {
  const arrows: Record<string, string> = { ArrowUp: '↑', ArrowDown: '↓', ArrowLeft: '←', ArrowRight: '→' };
  return binding
    .split(/-(?=.)/)
    .map((part) => arrows[part] ?? (part === 'Mod' ? 'Ctrl' : part.length === 1 ? part.toUpperCase() : part))
    .join(' ');
}
