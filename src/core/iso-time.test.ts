import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isoTime } from './iso-time.ts';

test('[L2] times are written as the platform writes them', () => {
  const latest = Date.UTC(9999, 11, 31, 23, 59, 59, 999);
  fc.assert(fc.property(fc.integer({ min: 0, max: latest }), (ms) => isoTime(ms) === new Date(ms).toISOString()));
  for (const ms of [0, Date.UTC(2000, 1, 29), Date.UTC(2100, 1, 28, 23, 59, 59, 999), Date.UTC(2100, 2, 1), latest]) {
    expect(isoTime(ms)).toBe(new Date(ms).toISOString());
  }
});
