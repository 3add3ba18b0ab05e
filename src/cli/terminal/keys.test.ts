import { expect, test } from 'vitest';
import { keysIn } from './keys.ts';

test('[C7] keys of a terminal by name, also several at once; those nobody asks for are left out', () => {
  expect(keysIn('a')).toEqual(['a']);
  expect(keysIn('\x1b[A\x1b[Bq\r')).toEqual(['up', 'down', 'q', 'enter']);
  expect(keysIn('\x1bOA\x1b')).toEqual(['up', 'escape']);
  expect(keysIn('\x1b[5~\x1b[6~')).toEqual(['page-up', 'page-down']);
  expect(keysIn('\x1b[2~\x1b[1;5C\x01\t')).toEqual([]);
  expect(keysIn('ü👍\x7f\x03')).toEqual(['ü', '👍', 'backspace', 'ctrl-c']);
});
