import { usageError } from '../failure.ts';
import { oneLine } from '../output/text.ts';

/** Parses a number that may be written as 3 or #3. */
export function parseNumber(text: string, noun: string): number {
  const number = /^#?([1-9]\d{0,8})$/.exec(text)?.[1];
  if (number === undefined) throw usageError(`"${text}" is not the number of ${noun}.`);
  return Number(number);
}

/** Parses digits; anything else is refused with `complaint`. */
export function parseDigits(text: string, complaint: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw usageError(complaint);
}

/** Parses an option's value as an integer of 0 or more. */
export function parseInteger(option: string, text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw usageError(`"${option} ${oneLine(text)}" should be a whole number.`);
}

export function parseDecimal(text: string, option?: string): number {
  const value = Number(text);
  if (text.trim() !== '' && Number.isFinite(value)) return value;
  throw usageError(`"${option === undefined ? '' : `${option} `}${oneLine(text)}" is not a number.`);
}
