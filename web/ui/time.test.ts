import { expect, test } from 'vitest';
import { formatNumber } from '../../src/core/text/format-number.ts';
import { formatDateTime, formatDuration, formatRelative } from './time.tsx';

const at = (text: string) => new Date(text).toISOString();
const now = new Date('2026-03-10T15:00:00').getTime();

test.each([
  ['2026-03-10T14:59:30', 'now'],
  ['2026-03-10T15:00:05', 'now'],
  ['2026-03-10T14:48:00', '12 min'],
  ['2026-03-10T11:30:00', '3 h'],
  ['2026-03-10T07:05:00', '07:05'],
  ['2026-03-09T22:10:00', 'yesterday 22:10'],
  ['2026-02-20T10:00:00', '20 Feb'],
  ['2024-02-20T10:00:00', '20 Feb 2024'],
])('[I11] times are relative: %s', (then, expected) => {
  expect(formatRelative(at(then), now)).toBe(expected);
});

test('[I11] the exact time says the day, the second and the zone', () => {
  const at = new Date(2026, 10, 16, 9, 5, 3);
  for (const [offset, zone] of [
    [0, 'UTC'],
    [-60, 'UTC+1'],
    [210, 'UTC−3:30'],
  ] as const) {
    at.getTimezoneOffset = () => offset;
    expect(formatDateTime(at)).toBe(`Monday 16 November 2026 at 09:05:03, ${zone}`);
  }
});

test('[I11] numbers are grouped', () => {
  const numbers = [0, 7, 999, 1000, 12_345.6, 1_234_567, -1234, 0.4, 0.1 + 0.2];
  expect(numbers.map(formatNumber)).toEqual([
    '0',
    '7',
    '999',
    '1,000',
    '12,345.6',
    '1,234,567',
    '-1,234',
    '0.4',
    '0.3',
  ]);
});

test('[I11] lengths of time have units', () => {
  expect([1, 90, 60, 300, 3600, 86_400].map(formatDuration)).toEqual([
    '1 second',
    '90 seconds',
    '1 minute',
    '5 minutes',
    '1 hour',
    '24 hours',
  ]);
});
