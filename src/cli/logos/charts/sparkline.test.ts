import { expect, test } from 'vitest';
import { sparkline } from './sparkline.ts';

test('[X11] a sparkline keeps gaps, scales to the top, and bundles what does not fit', () => {
  expect(sparkline([0, 0.5, null, 1], 10)).toBe('▁▅ █');
  expect(sparkline([0.5, 0.5], 10, 1)).toBe('▅▅');
  expect(sparkline([0, 0, 1, 1, null, null], 3)).toBe('▁█ ');
  expect(sparkline([0, 0], 5)).toBe('▁▁');
  expect(sparkline([], 5)).toBe('');
});
