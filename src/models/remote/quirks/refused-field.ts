import { removeQuotes } from '../errors/own-words.ts';
import { type DroppableField, droppableFields } from './quirks.ts';
import { findStatedLimit } from './stated-limit.ts';

/** The field of the request that a server refused, and whether only its value was wrong. */
export interface RefusedField {
  readonly field: DroppableField;
  /** The field's name in the request. */
  readonly name: string;
  readonly isValue: boolean;
  /** The maximum the server would have accepted, if it says so. */
  readonly maximum?: number;
  /** Whether the finding is certain enough to remember. */
  readonly isReliable: boolean;
}

const FIELD_ALIASES: Readonly<Record<string, DroppableField>> = {
  top_logprobs: 'logprobs',
  max_completion_tokens: 'max_tokens',
  stop_sequences: 'stop',
};
/** Ordinary words, which count only where they are written as a field name. */
const COMMON_WORDS = new Set(['n', 'stop', 'stream', 'seed']);
const PHRASES: readonly (readonly [RegExp, DroppableField])[] = [
  [/only one (completion )?choice|greedy sampling/i, 'n'],
  [/temperature\W+and\W+top_p\W+cannot both/i, 'top_p'],
  [/system role|roles must alternate|system message\w* (is|are)? ?not/i, 'system'],
];
const IMAGE_PATTERN = /image|multi-?modal|vision/i;
const UNSUPPORTED_PATTERN =
  /unsupported|not support|only the default|extra (inputs|fields)|unknown|unrecogni[sz]ed|unexpected|forbidden|not (permitted|allowed|available|implemented)|only one|cannot both|cannot find/i;
const VALUE_PATTERN =
  /between|range|less than|at most|at least|greater|maximum|minimum|too (large|big|many|high|long)|exceed|must contain|when using| > /i;
const WORD_START = /^\w/;
const QUOTES = '\'"`\\';
const FIELD_NOUNS = ['parameter', 'param', 'argument', 'field', 'option', 'name', 'supplied'];
const FIELD_PREDICATES = [':', ' is ', ' must ', ' should ', ' does ', ' has ', ' not ', ' > ', ' = '];
const NOUN_WINDOW = 16;
const MAX_BODY_LENGTH = 8_000;
const MAX_DEPTH = 8;

/**
 * Finds the field that a refusal names; if it names none of the fields sent, dropping one would not help. A server
 * that failed (`isFailure`) may have another reason than it says: its message must be explicit, and nothing is
 * remembered.
 */
export function parseRefusedField(
  body: string,
  sentFields: Readonly<Record<string, unknown>>,
  isFailure: boolean,
): RefusedField | undefined {
  const { text, hasQuotes } = removeQuotes(body.slice(0, MAX_BODY_LENGTH), sentFields);
  const names = Object.keys(sentFields).filter((name) => fieldOf(name) !== undefined && sentFields[name] !== false);
  const isAboutImages = IMAGE_PATTERN.test(text) && hasImages(sentFields);
  const phraseField = isAboutImages ? 'images' : PHRASES.find(([pattern]) => pattern.test(text))?.[1];
  const name = findNamedField(body, names) ?? firstMention(text, names);
  const field = phraseField ?? (name === undefined ? undefined : fieldOf(name));
  const sentAs = field === undefined ? undefined : nameInRequest(field, sentFields);
  if (field === undefined || sentAs === undefined) return undefined;
  const isUnsupported = UNSUPPORTED_PATTERN.test(text.replace(/unsupported_value|unsupported value/gi, ''));
  const isValue = VALUE_PATTERN.test(text) && !isUnsupported;
  const isExplicit = isUnsupported || phraseField !== undefined;
  if (isFailure && !isExplicit) return undefined;
  const maximum = isValue
    ? findStatedLimit(text, field, findMention(text, name ?? sentAs), sentFields[sentAs])
    : undefined;
  const isReliable = !isFailure && (!hasQuotes || isExplicit || maximum !== undefined);
  return { field, name: sentAs, isValue, isReliable, ...(maximum !== undefined && { maximum }) };
}

function fieldOf(name: string): DroppableField | undefined {
  return FIELD_ALIASES[name] ?? droppableFields.find((each) => each === name);
}

function hasImages({ messages }: Readonly<Record<string, unknown>>): boolean {
  if (!Array.isArray(messages)) return false;
  return messages.some(({ content }) => Array.isArray(content) && content.some(({ type }) => type !== 'text'));
}

/** The field's name in this request; undefined if the request does not have it. */
function nameInRequest(field: DroppableField, sentFields: Readonly<Record<string, unknown>>): string | undefined {
  if (field === 'images') return hasImages(sentFields) ? 'messages' : undefined;
  const names = Object.keys(sentFields).filter((name) => fieldOf(name) === field);
  if (field !== 'system') return names.find((name) => typeof sentFields[name] === 'number') ?? names[0];
  const { messages } = sentFields;
  return Array.isArray(messages) && messages.length > 1 ? 'messages' : undefined;
}

/**
 * Reads the structured forms of OpenAI (`param`) and Pydantic (`loc`); in plain text such words may come from
 * anybody.
 */
function findNamedField(body: string, names: readonly string[]): string | undefined {
  try {
    return searchNamedField(JSON.parse(body), names, MAX_DEPTH);
  } catch {
    return undefined;
  }
}

function searchNamedField(value: unknown, names: readonly string[], depth: number): string | undefined {
  if (typeof value !== 'object' || value === null || depth === 0) return undefined;
  const { param, loc } = value as { readonly param?: unknown; readonly loc?: unknown };
  const last = Array.isArray(loc) && loc.length === 2 && loc[0] === 'body' ? loc[1] : undefined;
  const match = names.find((name) => name === param || name === last);
  if (match !== undefined) return match;
  for (const child of Object.values(value)) {
    const nested = searchNamedField(child, names, depth - 1);
    if (nested !== undefined) return nested;
  }
  return undefined;
}

function firstMention(text: string, names: readonly string[]): string | undefined {
  const mentions = names.map((name) => ({ name, at: findMention(text, name) })).filter(({ at }) => at >= 0);
  return mentions.sort((a, b) => a.at - b.at)[0]?.name;
}

function findMention(text: string, name: string): number {
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    const before = text.slice(Math.max(0, at - NOUN_WINDOW), at);
    const after = text.slice(at + name.length, at + name.length + NOUN_WINDOW);
    if (WORD_START.test(before.at(-1) ?? '') || WORD_START.test(after.charAt(0))) continue;
    if (!COMMON_WORDS.has(name) || isFieldName(before, after)) return at;
  }
  return -1;
}

/** Whether a word is quoted, called a parameter, or described as refused. */
function isFieldName(before: string, after: string): boolean {
  const isQuoted = QUOTES.includes(before.slice(-1)) && QUOTES.includes(after.charAt(0));
  return (
    (before !== '' && isQuoted) ||
    FIELD_NOUNS.some((word) => before.endsWith(`${word} `) || before.endsWith(`${word}: `)) ||
    FIELD_PREDICATES.some((words) => after.startsWith(words))
  );
}
