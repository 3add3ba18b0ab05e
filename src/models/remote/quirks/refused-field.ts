import { ownWords } from '../errors/own-words.ts';
import { type Droppable, droppable } from './quirks.ts';
import { statedLimit } from './stated-limit.ts';

/** Which of the fields that were sent a server refused, and whether only its value was wrong. */
export interface RefusedField {
  readonly field: Droppable;
  /** Its name in the request. */
  readonly name: string;
  readonly isValue: boolean;
  /** The most it would have taken, where it says so. */
  readonly most?: number;
  /** It is sure enough to be remembered. */
  readonly teaches: boolean;
}

const CANONICAL: Readonly<Record<string, Droppable>> = {
  top_logprobs: 'logprobs',
  max_completion_tokens: 'max_tokens',
  stop_sequences: 'stop',
};
/** Words of their own: they count only where they are written as a name. */
const WORDS = new Set(['n', 'stop', 'stream', 'seed']);
const PHRASES: readonly (readonly [RegExp, Droppable])[] = [
  [/only one (completion )?choice|greedy sampling/i, 'n'],
  [/temperature\W+and\W+top_p\W+cannot both/i, 'top_p'],
  [/system role|roles must alternate|system message\w* (is|are)? ?not/i, 'system'],
];
const UNSUPPORTED =
  /unsupported|not support|only the default|extra (inputs|fields)|unknown|unrecogni[sz]ed|unexpected|forbidden|not (permitted|allowed|available|implemented)|only one|cannot both|cannot find/i;
const VALUE =
  /between|range|less than|at most|at least|greater|maximum|minimum|too (large|big|many|high|long)|exceed|must contain|when using| > /i;
const IN_A_WORD = /^\w/;
const QUOTES = '\'"`\\';
const CALLED = ['parameter', 'param', 'argument', 'field', 'option', 'name', 'supplied'];
const STATED = [':', ' is ', ' must ', ' should ', ' does ', ' has ', ' not ', ' > ', ' = '];
const LONGEST_CALL = 16;
const LONGEST = 8_000;
const DEEPEST = 8;

/**
 * A refusal that names none of the fields that were sent is nobody's to mend by leaving something out. A server that
 * failed (`isFailure`) may have done so for another reason than it says: it has to say more, and teaches nothing.
 */
export function refusedField(
  body: string,
  sent: Readonly<Record<string, unknown>>,
  isFailure: boolean,
): RefusedField | undefined {
  const { text, quotes } = ownWords(body.slice(0, LONGEST), sent);
  const names = Object.keys(sent).filter((name) => canonical(name) !== undefined && sent[name] !== false);
  const phrase = PHRASES.find(([pattern]) => pattern.test(text))?.[1];
  const name = namedIn(body, names) ?? firstMention(text, names);
  const field = phrase ?? (name === undefined ? undefined : canonical(name));
  const sentAs = field === undefined ? undefined : nameOf(field, sent);
  if (field === undefined || sentAs === undefined) return undefined;
  const isUnsupported = UNSUPPORTED.test(text.replace(/unsupported_value|unsupported value/gi, ''));
  const isValue = VALUE.test(text) && !isUnsupported;
  const isSaid = isUnsupported || phrase !== undefined;
  if (isFailure && !isSaid) return undefined;
  const most = isValue ? statedLimit(text, field, mentionOf(text, name ?? sentAs), sent[sentAs]) : undefined;
  const teaches = !isFailure && (!quotes || isSaid || most !== undefined);
  return { field, name: sentAs, isValue, teaches, ...(most !== undefined && { most }) };
}

function canonical(name: string): Droppable | undefined {
  return CANONICAL[name] ?? droppable.find((each) => each === name);
}

/** What the field is called in this request; undefined when it is not in it. */
function nameOf(field: Droppable, sent: Readonly<Record<string, unknown>>): string | undefined {
  const names = Object.keys(sent).filter((name) => canonical(name) === field);
  if (field !== 'system') return names.find((name) => typeof sent[name] === 'number') ?? names[0];
  const { messages } = sent;
  return Array.isArray(messages) && messages.length > 1 ? 'messages' : undefined;
}

/** As OpenAI (`param`) and servers on Pydantic (`loc`) say it; in a text such words may be anybody's. */
function namedIn(body: string, names: readonly string[]): string | undefined {
  try {
    return namedBy(JSON.parse(body), names, DEEPEST);
  } catch {
    return undefined;
  }
}

function namedBy(value: unknown, names: readonly string[], depth: number): string | undefined {
  if (typeof value !== 'object' || value === null || depth === 0) return undefined;
  const { param, loc } = value as { readonly param?: unknown; readonly loc?: unknown };
  const last = Array.isArray(loc) && loc.length === 2 && loc[0] === 'body' ? loc[1] : undefined;
  const own = names.find((name) => name === param || name === last);
  if (own !== undefined) return own;
  for (const each of Object.values(value)) {
    const found = namedBy(each, names, depth - 1);
    if (found !== undefined) return found;
  }
  return undefined;
}

function firstMention(text: string, names: readonly string[]): string | undefined {
  const found = names.map((name) => ({ name, at: mentionOf(text, name) })).filter(({ at }) => at >= 0);
  return found.sort((a, b) => a.at - b.at)[0]?.name;
}

function mentionOf(text: string, name: string): number {
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    const before = text.slice(Math.max(0, at - LONGEST_CALL), at);
    const after = text.slice(at + name.length, at + name.length + LONGEST_CALL);
    if (IN_A_WORD.test(before.at(-1) ?? '') || IN_A_WORD.test(after.charAt(0))) continue;
    if (!WORDS.has(name) || isName(before, after)) return at;
  }
  return -1;
}

/** Quoted, called a parameter, or said something of. */
function isName(before: string, after: string): boolean {
  const isQuoted = QUOTES.includes(before.slice(-1)) && QUOTES.includes(after.charAt(0));
  return (
    (before !== '' && isQuoted) ||
    CALLED.some((word) => before.endsWith(`${word} `) || before.endsWith(`${word}: `)) ||
    STATED.some((words) => after.startsWith(words))
  );
}
