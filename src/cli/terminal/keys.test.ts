import { expect, test } from 'vitest';
import { parseKeys } from './keys.ts';

test('[C7] keys of a terminal by name, also several at once; those nobody asks for are left out', () => {
  expect(parseKeys('a')).toEqual(['a']);
  expect(parseKeys('\x1b[A\x1b[Bq\r')).toEqual(['up', 'down', 'q', 'enter']);
  expect(parseKeys('\x1bOA\x1b')).toEqual(['up', 'escape']);
  expect(parseKeys('\x1b[5~\x1b[6~')).toEqual(['page-up', 'page-down']);
  expect(parseKeys('\x1b[2~\x1b[1;5C\x01\t')).toEqual([]);
  expect(parseKeys('ü👍\x7f\x03')).toEqual(['ü', '👍', 'backspace', 'ctrl-c']);
});
