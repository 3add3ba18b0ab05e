import type { Droppable } from './quirks.ts';

/** Numbers that a server could mean: fewer tokens than this are no answer. */
const LEAST: Partial<Record<Droppable, number>> = { max_tokens: 16, logprobs: 1 };
/** How far from its name the limit of a field stands. */
const BEFORE = 60;
const AFTER = 300;

/** Words of a bound, what may stand between them and the number, the number, and no unit that tokens do not have. */
const STATED =
  /(?:at most|up to|no more than|not (?:be )?(?:more|greater|larger|higher) than|less than or equal to|(?:not|cannot) (?:be )?exceed|\bmax(?:imum)?|\blimit|between \d{1,9} and|\[\s?\d{1,9}\s?,|<=|≤|>(?!=))(?:\W{1,3}(?:is|of|for|the|this|model|value|number|allowed|permitted|supported|output|completion|new|tokens?|max_tokens|max_completion_tokens|top_logprobs|logprobs)\b){0,8}\W{0,3}(\d{1,3}(?:,\d{3}){1,3}|\d{1,9})(?!\d|[.,]\d|\s?(?:%|(?:m?s|sec|seconds?|minutes?|hours?|requests?)\b))/gi;

/** The most that a server takes of a field, where it says so beside the name; `at` is where that stands, if it does. */
export function statedLimit(text: string, field: Droppable, at: number, sent: unknown): number | undefined {
  const least = LEAST[field];
  if (least === undefined || typeof sent !== 'number') return undefined;
  const beside = at < 0 ? text : text.slice(Math.max(0, at - BEFORE), at + AFTER);
  const numbers = [...beside.matchAll(STATED)].map(([, number = '']) => Number(number.replaceAll(',', '')));
  const possible = numbers.filter((number) => number >= least && number < sent);
  return possible.length === 0 ? undefined : Math.max(...possible);
}
