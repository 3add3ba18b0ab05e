import type { z } from 'zod';
import { isRefusal, type Refusal, type RefusalCode, refuse } from '../../core/refusal.ts';
import { controlForms } from '../../core/threads/posts/control-forms.ts';
import { BadFile } from '../../formats/bad-file.ts';
import { NoSpace, StoreUnavailable } from '../../log/event-log.ts';
import { failureOf } from '../../log/sqlite/errors.ts';

/** The one place where a code becomes an HTTP status (I5). */
export const statusOf: Readonly<Record<RefusalCode | 'internal', number>> = {
  malformed: 400,
  wrong_cursor: 400,
  unauthenticated: 401,
  forbidden: 403,
  wrong_origin: 403,
  unknown_thread: 404,
  unknown_event: 404,
  unknown_credential: 404,
  unknown_model: 404,
  unknown_client: 404,
  unknown_participant: 404,
  unknown_node: 404,
  unknown_route: 404,
  unknown_turn: 404,
  unknown_iteration: 404,
  unknown_round: 404,
  unknown_thought: 404,
  wrong_kind: 409,
  not_on_path: 409,
  ambiguous_mention: 409,
  unknown_draft: 404,
  not_answering: 409,
  conflict: 409,
  command_reused: 409,
  lease_lost: 409,
  participant_muted: 409,
  thread_paused: 409,
  task_not_open: 409,
  side_closed: 409,
  not_a_side_channel: 409,
  draft_pending: 409,
  idle: 409,
  turn_over: 409,
  ambiguous_accept: 409,
  not_a_reply: 409,
  already_running: 409,
  not_running: 409,
  nothing_pending: 409,
  answer_pending: 409,
  halted: 409,
  too_large: 413,
  unacceptable_text: 422,
  bad_file: 422,
  context_too_small: 422,
  rate_limited: 429,
  limit_reached: 429,
  budget_reached: 429,
  internal: 500,
  store_unavailable: 503,
  model_unavailable: 503,
  no_space: 507,
};

/** What a thrown error comes to; undefined when nobody foresaw it. */
export function refusalOf(thrown: unknown): Refusal | undefined {
  if (isRefusal(thrown)) return thrown;
  // What only reads throws as SQLite does.
  const error = failureOf(thrown);
  if (error instanceof NoSpace) return refuse('no_space', error.message);
  if (error instanceof BadFile) return refuse('bad_file', error.message);
  if (error instanceof StoreUnavailable) return refuse('store_unavailable', error.message);
  if (isTooLong(error)) return refuse('too_large', TOO_LONG);
  return undefined;
}

/** An error nobody foresaw, for whoever runs the server: all of it in one line of its output. */
export function faultLine(error: unknown): string {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return text
    .split('\n')
    .map((line) => line.trim())
    .join(' ');
}

const TOO_LONG =
  'The answer would be longer than one text can be (512 MB). Read the thread in pages instead: GET /api/threads/THREAD/events, or "heddle export".';

/** No text can be longer than V8 allows, however much memory there is. */
function isTooLong(error: unknown): boolean {
  return error instanceof RangeError && error.message === 'Invalid string length';
}

/** What a client may never set: the server knows better (L2). */
const SET_BY_SERVER: ReadonlySet<string> = new Set(['id', 'ts', 'thread', 'seq', 'from', 'v', 'hash']);

/** Says which field is wrong, and what was expected there. */
export function malformed(error: z.ZodError, input: unknown): Refusal {
  const issue = deepest(error.issues);
  const path = issue.path.map(String).join('.');
  return refuse('malformed', sentence(issue, path, input), path === '' ? {} : { path });
}

type Issue = z.core.$ZodIssue;

function sentence(issue: Issue, path: string, input: unknown): string {
  const what = path === '' ? 'The request' : `"${path}"`;
  switch (issue.code) {
    case 'unrecognized_keys':
      return unknownField(issue.keys[0] as string, path, input);
    case 'invalid_union':
      return noShape(issue, what, path, input);
    case 'invalid_value':
      return `${what} must be ${listed(issue.values.map((value) => JSON.stringify(value)))}.`;
    case 'invalid_type':
      return at(input, issue.path) === undefined
        ? `${what} is missing; it must be ${article(issue.expected)}.`
        : `${what} must be ${article(issue.expected)}.`;
    case 'too_small':
    case 'too_big':
      return `${what} is out of bounds: ${limits(issue)}.`;
    default:
      return `${what} is not acceptable: ${issue.message}.`;
  }
}

function unknownField(key: string, path: string, input: unknown): string {
  const name = path === '' ? key : `${path}.${key}`;
  if (path === '' && SET_BY_SERVER.has(key)) {
    const own = { thread: 'the thread of the address', from: 'your own id' }[key];
    return `"${name}" is set by the server${own ? `: leave it out, or send ${own}` : ' and cannot be sent. Leave it out'}.`;
  }
  if (isControl(input)) return controlExpected(input, name);
  return `"${name}" is not a field here. Leave it out.`;
}

function noShape(issue: Extract<Issue, { code: 'invalid_union' }>, what: string, path: string, input: unknown): string {
  if (path === 'type' && 'discriminator' in issue) {
    return `${what} must be "message", "control", "task", "result" or "presence".`;
  }
  if (path.startsWith('content') && isControl(input)) return controlExpected(input);
  if (path === 'to') return `${what} must be "all", a participant id, or a list of 1 to 64 ids.`;
  if (path === 'content' && (input as { type?: unknown }).type === 'task')
    return 'A task needs a string, or an object with "text".';
  if (path === 'content' && (input as { type?: unknown }).type === 'result')
    return 'A result needs a string, or an object with any of "status", "text" and "data".';
  const options = issue.errors.map((issues) => deepest(issues)).map((inner) => sentence(inner, '', undefined));
  const reasons = [...new Set(options)].map((reason) => reason.replace(/^The request /, '').replace(/\.$/, ''));
  return reasons.length === 0
    ? `${what} is not acceptable.`
    : `${what} fits none of its forms: ${reasons.join('; or ')}.`;
}

/** What the control that was meant takes; or which there are, where none was. */
function controlExpected(input: unknown, unknownField?: string): string {
  const content = (input as { content?: unknown }).content;
  const names = typeof content === 'object' && content !== null ? Object.keys(content) : [];
  const [name = ''] = names;
  if (names.length !== 1 || !Object.hasOwn(controlForms, name)) {
    const all = Object.keys(controlForms).join(', ');
    return `A control's content has exactly one of these keys, with its own value: ${all}. See /docs for their shapes.`;
  }
  const problem = unknownField === undefined ? '' : `"${unknownField}" is not a field here. `;
  return `${problem}"${name}" takes ${controlForms[name as keyof typeof controlForms]}.`;
}

function isControl(input: unknown): boolean {
  return (input as { type?: unknown } | undefined)?.type === 'control';
}

/** Inside a union whose key fits, what is wrong with the value says more than "fits none". */
function deepest(issues: readonly Issue[]): Issue {
  const issue = issues[0] as Issue;
  if (issue.code !== 'invalid_union') return issue;
  const inner = issue.errors.filter((option) =>
    option.every((each) => each.path.length > 0 && each.code !== 'invalid_type'),
  );
  const only = inner.length === 1 ? inner[0] : undefined;
  if (!only) return issue;
  const found = deepest(only);
  return { ...found, path: [...issue.path, ...found.path] } as Issue;
}

function at(input: unknown, path: readonly PropertyKey[]): unknown {
  let value = input;
  for (const key of path) value = (value as Record<PropertyKey, unknown> | null | undefined)?.[key];
  return value;
}

function limits(issue: Extract<Issue, { code: 'too_small' | 'too_big' }>): string {
  const unit = { string: ' characters', array: ' items', set: ' items', map: ' items' }[issue.origin as string] ?? '';
  return issue.code === 'too_small' ? `at least ${issue.minimum}${unit}` : `at most ${issue.maximum}${unit}`;
}

function article(expected: string): string {
  return /^[aeio]/.test(expected) ? `an ${expected}` : `a ${expected}`;
}

function listed(values: readonly string[]): string {
  return values.length < 2 ? (values[0] ?? 'nothing') : `${values.slice(0, -1).join(', ')} or ${values.at(-1)}`;
}
