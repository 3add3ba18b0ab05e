import { usageError } from '../failure.ts';
import { oneLine } from '../output/text.ts';

/** A number as people write them: 3 or #3. */
export function parseNumber(text: string, noun: string): number {
  const number = /^#?([1-9]\d{0,8})$/.exec(text)?.[1];
  if (number === undefined) throw usageError(`"${text}" is not the number of ${noun}.`);
  return Number(number);
}

/** The value of an option: 0 or more. */
export function parseInteger(option: string, text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw usageError(`"${option} ${oneLine(text)}" should be a whole number.`);
}

export function parseDecimal(text: string, option?: string): number {
  const value = Number(text);
  if (text.trim() !== '' && Number.isFinite(value)) return value;
  throw usageError(`"${option === undefined ? '' : `${option} `}${oneLine(text)}" is not a number.`);
}
