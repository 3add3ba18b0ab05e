import type { JsonValue } from './json.ts';

/*
 * Parses times as various programs write them. Without a zone they count as UTC, so that a file means the same
 * everywhere.
 */

const APPLE_EPOCH = Date.UTC(2001, 0, 1);
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
/** `2021-10-01-11.16.44`, `2023-7-4@13h 1m 30s 123ms`, `2024-06-19 @16h 13m 20s`. */
const NUMBERED = /^(\d{4})-(\d{1,2})-(\d{1,2})[-\s@]+(\d{1,2})[.h]\s*(\d{1,2})[.m]\s*(\d{1,2})s?(?:\s*(\d{1,3})ms)?$/;
/** `June 19, 2024 4:13pm`. */
const NAMED = /^([a-z]{3})[a-z]* (\d{1,2}), (\d{4}) (\d{1,2}):(\d{2})\s*([ap]m)?$/i;
const ISO = /^\d{4}-\d{2}-\d{2}(T|$)/;

export function parseTime(value: JsonValue | undefined): string | undefined {
  if (typeof value === 'number') return fromNumber(value);
  if (typeof value !== 'string' || value.length > 64) return undefined;
  const text = value.trim();
  if (/^\d{9,}(\.\d+)?$/.test(text)) return fromNumber(Number(text));
  const numbers = NUMBERED.exec(text)
    ?.slice(1)
    .map((part) => Number(part ?? 0));
  if (numbers) {
    const [year = 0, month = 1, day = 1, hour, minute, second, ms] = numbers;
    return toIso(Date.UTC(year, month - 1, day, hour, minute, second, ms));
  }
  const namedMatch = NAMED.exec(text);
  if (namedMatch) return fromNamed(namedMatch);
  if (!ISO.test(text)) return undefined;
  const hasZone = !text.includes('T') || /(Z|[+-]\d{2}:?\d{2})$/i.test(text);
  return toIso(Date.parse(hasZone ? text : `${text}Z`));
}

/** Milliseconds or seconds since 1970, or the seconds since 2001 that Swift writes. */
function fromNumber(value: number): string | undefined {
  if (value >= 1e11) return toIso(value);
  if (value >= 1e9) return toIso(value * 1000);
  return value > 3e8 ? toIso(APPLE_EPOCH + value * 1000) : undefined;
}

function fromNamed([, name = '', day, year, hour, minute, meridiem]: RegExpExecArray): string | undefined {
  const month = MONTHS.indexOf(name.toLowerCase());
  if (month < 0) return undefined;
  const hours = meridiem ? (Number(hour) % 12) + (meridiem.toLowerCase() === 'pm' ? 12 : 0) : Number(hour);
  return toIso(Date.UTC(Number(year), month, Number(day), hours, Number(minute)));
}

function toIso(time: number): string | undefined {
  // Years before 1970 and after 9999 are mistakes in a file of this kind.
  if (!(time >= 0 && time < 253402300800000)) return undefined;
  return new Date(time).toISOString();
}
