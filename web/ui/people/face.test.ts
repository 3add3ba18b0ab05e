import fc from 'fast-check';
import { expect, test } from 'vitest';
import { glyphOf, initialsOf } from './face.ts';
import { HUES, hueOf } from './hue.ts';

test('[I20] a participant has the same hue and glyph every time', () => {
  fc.assert(
    fc.property(fc.string(), (id) => {
      expect(hueOf(id)).toBe(hueOf(id));
      expect(hueOf(id)).toBeGreaterThanOrEqual(0);
      expect(hueOf(id)).toBeLessThan(HUES);
      expect(glyphOf(id)).toBe(glyphOf(id));
    }),
  );
});

test('[I20] ids that people use spread over all hues', () => {
  const ids = Array.from({ length: 40 }, (_, index) => `agent-${index}`);
  expect(new Set(ids.map(hueOf)).size).toBe(HUES);
});

test.each([
  ['Maya Okafor', 'MO'],
  ['ana', 'A'],
  ['mind_0', 'M0'],
  ['Jean-Luc Picard', 'JP'],
  ['Ōtani', 'Ō'],
  ['👩‍🚀 Ada', '👩‍🚀A'],
  ['  ', '?'],
])('[I20] the initials of %j are %j', (name, initials) => {
  expect(initialsOf(name)).toBe(initials);
});
