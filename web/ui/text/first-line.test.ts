import { expect, test } from 'vitest';
import { firstLine } from './first-line.ts';

test.each([
  ['its first line without markup', '\n## Beans, **beans**\nand `peas`', 'Beans, beans'],
  ['a link by its words', 'see [the bed](https://example.org)', 'see the bed'],
  ['one space for several', 'a \t b', 'a b'],
  ['nothing of an empty text', ' \n ', ''],
])('[I11] a list shows of a message %s', (_, text, line) => {
  expect(firstLine(text)).toBe(line);
});

test('[I11] a long line in a list ends with an ellipsis, never inside a character', () => {
  expect(firstLine('😀'.repeat(121))).toBe(`${'😀'.repeat(119)}…`);
  expect(firstLine('😀'.repeat(120))).toBe('😀'.repeat(120));
  expect(firstLine('a b c', 4)).toBe('a b…');
});
