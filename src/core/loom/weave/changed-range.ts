import type { Range } from './slots.ts';

/** The one part of `after` outside of which it equals `before`, never from within a surrogate pair. */
export function changedRange(before: string, after: string): Range {
  const shorter = Math.min(before.length, after.length);
  let from = 0;
  while (from < shorter && before.charCodeAt(from) === after.charCodeAt(from)) from++;
  if (isHigh(after.charCodeAt(from - 1))) from--;
  let behind = 0;
  while (
    behind < shorter - from &&
    before.charCodeAt(before.length - 1 - behind) === after.charCodeAt(after.length - 1 - behind)
  ) {
    behind++;
  }
  if (isLow(after.charCodeAt(after.length - behind))) behind--;
  return { from, to: after.length - behind };
}

function isHigh(unit: number): boolean {
  return (unit & 0xfc00) === 0xd800;
}

function isLow(unit: number): boolean {
  return (unit & 0xfc00) === 0xdc00;
}
