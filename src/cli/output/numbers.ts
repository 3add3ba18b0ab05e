import { usage } from '../failure.ts';

/** A number as people write them: 3 or #3. */
export function numberIn(text: string, what: string): number {
  const number = /^#?([1-9]\d{0,8})$/.exec(text)?.[1];
  if (number === undefined) throw usage(`"${text}" is not the number of ${what}.`);
  return Number(number);
}

/** "3 iterations", "1 iteration". */
export function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}
