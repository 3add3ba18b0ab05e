import { expect, test } from 'vitest';
import { bringWaysInto } from '../../src/core/bring.ts';
import { KINDS } from '../ui/kinds.ts';
import { wayLabel } from './ways.ts';

test('[I29] every way into a thread of any kind is called something of its own and says what it does', () => {
  for (const { kind } of KINDS) {
    const told = bringWaysInto(kind).map((way) => wayLabel(way, kind));
    expect(new Set(told.map(({ name }) => name)).size).toBe(told.length);
    for (const { name, means } of told)
      expect([name, means]).toEqual([expect.stringMatching(/^As /), expect.any(String)]);
  }
});

test('[I29] what goes back to its origin is told by the place it goes back to', () => {
  const means = (...of: Parameters<typeof wayLabel>) => wayLabel(...of).means;
  expect(means('accept', 'dialogue', { link: '/dialogue/T#2.5' })).toBe('Accepts that draft with your changes.');
  expect(means('accept', 'dialogue', { link: '/dialogue/T#2' })).toMatch(/^Accepts this text instead of/);
  expect(means('branch', 'loom', { link: '/loom/T#n' })).toBe('After the node it was opened from.');
  expect(means('branch', 'loom')).toBe('At the end of your path in that loom.');
});
