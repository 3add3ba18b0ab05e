import fc from 'fast-check';
import { expect, test } from 'vitest';
import { excerptOf } from './excerpt.ts';

test('[I30] an excerpt is one line, and says when the text goes on', () => {
  expect(excerptOf('  Beans,\n\n then  peas. ')).toBe('Beans, then peas.');
  expect(excerptOf('abcdefgh', 5)).toBe('abcd…');
  expect(excerptOf(`a${' '.repeat(5000)}b`)).toBe('a…');
});

test('[I30] an excerpt is never longer than its limit, and never half a character', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (text) => {
      const excerpt = excerptOf(text, 40);
      expect(excerpt.length).toBeLessThanOrEqual(40);
      expect(excerpt.isWellFormed()).toBe(true);
    }),
  );
});
