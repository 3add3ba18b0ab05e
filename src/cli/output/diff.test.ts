import pico from 'picocolors';
import { expect, test } from 'vitest';
import { diffWords } from '../../core/text/diff.ts';
import { diffLines } from './diff.ts';
import { widthOf } from './text.ts';

const plain = { colors: pico.createColors(false) };
const coloured = { colors: pico.createColors(true) };

test('[I3] a difference is in colours on a terminal and in marks elsewhere', () => {
  const hunks = diffWords('Plant beans in May.', 'Plant beans in June.');
  expect(diffLines(hunks, plain, 80)).toEqual(['Plant beans in [-May-]{+June+}.']);
  const { red, green, strikethrough } = coloured.colors;
  expect(diffLines(hunks, coloured, 80)).toEqual([`Plant beans in ${red(strikethrough('May'))}${green('June')}.`]);
});

test('[I3] a difference is wrapped; lines that were broken stay broken; control characters are shown', () => {
  const before = 'one two three four five six seven\n\nlast line';
  const after = `one two 3 four five six seven\n\nlast \x1b[31mline ${'z'.repeat(40)}`;
  const lines = diffLines(diffWords(before, after), plain, 20);
  for (const line of lines) expect(widthOf(line)).toBeLessThanOrEqual(20);
  expect(lines).toContain('');
  expect(lines.join('\n')).toContain('␛[31m');
  expect(lines.join('').replaceAll(/[^z]/g, '')).toHaveLength(40);
});
