import type { TextRange } from './slots.ts';

/** The part of `after` that differs from `before`, as one range; never starts or ends inside a surrogate pair. */
export function changedRange(before: string, after: string): TextRange {
  const shorter = Math.min(before.length, after.length);
  let from = 0;
  while (from < shorter && before.charCodeAt(from) === after.charCodeAt(from)) from++;
  if (isHighSurrogate(after.charCodeAt(from - 1))) from--;
  let commonSuffix = 0;
  while (
    commonSuffix < shorter - from &&
    before.charCodeAt(before.length - 1 - commonSuffix) === after.charCodeAt(after.length - 1 - commonSuffix)
  ) {
    commonSuffix++;
  }
  if (isLowSurrogate(after.charCodeAt(after.length - commonSuffix))) commonSuffix--;
  return { from, to: after.length - commonSuffix };
}

function isHighSurrogate(unit: number): boolean {
  return (unit & 0xfc00) === 0xd800;
}

function isLowSurrogate(unit: number): boolean {
  return (unit & 0xfc00) === 0xdc00;
}
