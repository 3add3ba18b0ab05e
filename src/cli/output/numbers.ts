import { usageError } from '../failure.ts';

/** A number as people write them: 3 or #3. */
export function parseNumber(text: string, noun: string): number {
  const number = /^#?([1-9]\d{0,8})$/.exec(text)?.[1];
  if (number === undefined) throw usageError(`"${text}" is not the number of ${noun}.`);
  return Number(number);
}

/** "3 iterations", "1 iteration". */
export function pluralize(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
