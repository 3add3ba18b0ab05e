import { expect, test } from 'vitest';
import { formatElapsed } from './live-line.tsx';

test.each([
  [0, '0:00'],
  [-5, '0:00'],
  [8_999, '0:08'],
  [760_000, '12:40'],
  [3_723_000, '1:02:03'],
])('[M12] %i ms of work are shown as %s', (elapsed, shown) => {
  expect(formatElapsed(elapsed)).toBe(shown);
});
