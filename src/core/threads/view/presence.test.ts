import { expect, test } from 'vitest';
import { describePresence } from './presence.ts';

test('[T3] presence is told in plain words that say how it is known', () => {
  expect(describePresence({ state: 'typing', reach: 'live' })).toBe('online, typing');
  expect(describePresence({ state: 'listening', reach: 'live' })).toBe('online');
  expect(describePresence({ state: 'thinking', reach: 'declared' })).toBe('thinking');
  expect(describePresence({ state: 'offline', reach: 'wakeable' })).toBe('available');
  expect(describePresence({ state: 'offline', reach: 'none' })).toBe('');
  expect(describePresence(undefined)).toBe('');
});
