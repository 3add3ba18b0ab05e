import type { DroppableField } from './quirks.ts';

/** The smallest plausible limits: fewer tokens than this are no answer. */
const MIN_LIMITS: Partial<Record<DroppableField, number>> = { max_tokens: 16, logprobs: 1 };
/** The maximum distance between a field's name and its limit. */
const CHARS_BEFORE = 60;
const CHARS_AFTER = 300;

/** A word for a bound, optional words, the number, and no unit that tokens do not have. */
const LIMIT_PATTERN =
  /(?:at most|up to|no more than|not (?:be )?(?:more|greater|larger|higher) than|less than or equal to|(?:not|cannot) (?:be )?exceed|\bmax(?:imum)?|\blimit|between \d{1,9} and|\[\s?\d{1,9}\s?,|<=|≤|>(?!=))(?:\W{1,3}(?:is|of|for|the|this|model|value|number|allowed|permitted|supported|output|completion|new|tokens?|max_tokens|max_completion_tokens|top_logprobs|logprobs)\b){0,8}\W{0,3}(\d{1,3}(?:,\d{3}){1,3}|\d{1,9})(?!\d|[.,]\d|\s?(?:%|(?:m?s|sec|seconds?|minutes?|hours?|requests?)\b))/gi;

/** The maximum that a server states next to a field's name; `position` is where the name is, if it is there. */
export function findStatedLimit(
  text: string,
  field: DroppableField,
  position: number,
  sentValue: unknown,
): number | undefined {
  const minimum = MIN_LIMITS[field];
  if (minimum === undefined || typeof sentValue !== 'number') return undefined;
  const nearbyText = position < 0 ? text : text.slice(Math.max(0, position - CHARS_BEFORE), position + CHARS_AFTER);
  const numbers = [...nearbyText.matchAll(LIMIT_PATTERN)].map(([, number = '']) => Number(number.replaceAll(',', '')));
  const candidates = numbers.filter((number) => number >= minimum && number < sentValue);
  return candidates.length === 0 ? undefined : Math.max(...candidates);
}
