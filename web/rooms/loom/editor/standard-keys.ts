import * as commands from '@codemirror/commands';
import type { KeyBinding } from '@codemirror/view';

/**
 * The keys of any text field: the library's `standardKeymap` except Enter, which indents by syntax there and pulls in
 * parsers that no loom needs. Here a new line copies the indentation of the previous one.
 */
export const standardKeys: readonly KeyBinding[] = [
  { key: 'ArrowLeft', run: commands.cursorCharLeft, shift: commands.selectCharLeft, preventDefault: true },
  {
    key: 'Mod-ArrowLeft',
    mac: 'Alt-ArrowLeft',
    run: commands.cursorGroupLeft,
    shift: commands.selectGroupLeft,
    preventDefault: true,
  },
  {
    mac: 'Cmd-ArrowLeft',
    run: commands.cursorLineBoundaryLeft,
    shift: commands.selectLineBoundaryLeft,
    preventDefault: true,
  },
  { key: 'ArrowRight', run: commands.cursorCharRight, shift: commands.selectCharRight, preventDefault: true },
  {
    key: 'Mod-ArrowRight',
    mac: 'Alt-ArrowRight',
    run: commands.cursorGroupRight,
    shift: commands.selectGroupRight,
    preventDefault: true,
  },
  {
    mac: 'Cmd-ArrowRight',
    run: commands.cursorLineBoundaryRight,
    shift: commands.selectLineBoundaryRight,
    preventDefault: true,
  },
  { key: 'ArrowUp', run: commands.cursorLineUp, shift: commands.selectLineUp, preventDefault: true },
  { mac: 'Cmd-ArrowUp', run: commands.cursorDocStart, shift: commands.selectDocStart },
  { mac: 'Ctrl-ArrowUp', run: commands.cursorPageUp, shift: commands.selectPageUp },
  { key: 'ArrowDown', run: commands.cursorLineDown, shift: commands.selectLineDown, preventDefault: true },
  { mac: 'Cmd-ArrowDown', run: commands.cursorDocEnd, shift: commands.selectDocEnd },
  { mac: 'Ctrl-ArrowDown', run: commands.cursorPageDown, shift: commands.selectPageDown },
  { key: 'PageUp', run: commands.cursorPageUp, shift: commands.selectPageUp },
  { key: 'PageDown', run: commands.cursorPageDown, shift: commands.selectPageDown },
  {
    key: 'Home',
    run: commands.cursorLineBoundaryBackward,
    shift: commands.selectLineBoundaryBackward,
    preventDefault: true,
  },
  { key: 'Mod-Home', run: commands.cursorDocStart, shift: commands.selectDocStart },
  {
    key: 'End',
    run: commands.cursorLineBoundaryForward,
    shift: commands.selectLineBoundaryForward,
    preventDefault: true,
  },
  { key: 'Mod-End', run: commands.cursorDocEnd, shift: commands.selectDocEnd },
  { key: 'Enter', run: commands.insertNewlineKeepIndent, shift: commands.insertNewlineKeepIndent },
  { key: 'Mod-a', run: commands.selectAll },
  { key: 'Backspace', run: commands.deleteCharBackward, shift: commands.deleteCharBackward, preventDefault: true },
  { key: 'Delete', run: commands.deleteCharForward, preventDefault: true },
  { key: 'Mod-Backspace', mac: 'Alt-Backspace', run: commands.deleteGroupBackward, preventDefault: true },
  { key: 'Mod-Delete', mac: 'Alt-Delete', run: commands.deleteGroupForward, preventDefault: true },
  { mac: 'Mod-Backspace', run: commands.deleteLineBoundaryBackward, preventDefault: true },
  { mac: 'Mod-Delete', run: commands.deleteLineBoundaryForward, preventDefault: true },
  ...commands.emacsStyleKeymap.map(({ key = '', ...binding }) => ({ ...binding, mac: key })),
];
