import { expect, test } from 'vitest';
import { ACTION_LABELS, bindingFromEvent, bindingsOf, formatBinding, PRESET_NAMES } from './keymap.ts';

const press = (key: string, more: object = {}) =>
  bindingFromEvent({ key, ctrlKey: false, altKey: false, shiftKey: false, metaKey: false, ...more });

test('[W24] every preset has a key for everything, and none twice', () => {
  for (const preset of PRESET_NAMES) {
    const bindings = Object.values(bindingsOf({ preset, own: {} }));
    expect(new Set(bindings).size).toBe(Object.keys(ACTION_LABELS).length);
  }
  expect(bindingsOf({ preset: 'loomsidian', own: {} })).toMatchObject({
    generate: 'Ctrl-Space',
    split: 'Alt-s',
    merge: 'Alt-m',
  });
});

test('[W24] a key of one’s own stands before the preset’s', () => {
  expect(bindingsOf({ preset: 'heddle', own: { split: 'F2' } }).split).toBe('F2');
});

test('[W24] a pressed key becomes a binding, a letter alone does not', () => {
  expect(press(' ', { ctrlKey: true })).toBe('Ctrl-Space');
  expect(press('ArrowUp', { altKey: true, shiftKey: true })).toBe('Alt-Shift-ArrowUp');
  expect(press('F4')).toBe('F4');
  expect(press('x')).toBeUndefined();
  expect(press('Control', { ctrlKey: true })).toBeUndefined();
  expect(formatBinding('Alt-Shift-ArrowUp')).toBe('Alt Shift ↑');
  expect(formatBinding('Ctrl-.')).toBe('Ctrl .');
});
