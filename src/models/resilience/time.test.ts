import { expect, onTestFinished, test, vi } from 'vitest';
import { realTime } from './time.ts';

test('[L26] setting the clock back makes no time-out or pause longer', () => {
  const before = realTime.now();
  expect(Math.abs(before - Date.now())).toBeLessThan(3_600_000);
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 86_400_000 });
  onTestFinished(() => void vi.useRealTimers());
  expect(realTime.now()).toBeGreaterThanOrEqual(before);
});
