import type { z } from 'zod';
import { isRefusal, type Refusal, type RefusalCode, refuse } from '../../core/refusal.ts';
import { withArticle } from '../../core/text/article.ts';
import { controlForms } from '../../core/threads/posts/control-forms.ts';
import { BadFile } from '../../formats/bad-file.ts';
import { NoSpace, StoreUnavailable } from '../../log/event-log.ts';
import { explainFailure } from '../../log/sqlite/errors.ts';

/** The one place where a code becomes an HTTP status (I5). */
export const statusByCode: Readonly<Record<RefusalCode | 'internal', number>> = {
  malformed: 400,
  wrong_cursor: 400,
  unauthenticated: 401,
  forbidden: 403,
  wrong_origin: 403,
  unknown_thread: 404,
  unknown_event: 404,
  unknown_stream: 404,
  unknown_credential: 404,
  unknown_model: 404,
  unknown_client: 404,
  unknown_participant: 404,
  unknown_node: 404,
  unknown_blob: 404,
  unknown_persona: 404,
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

/** The refusal for a thrown error; undefined if the error is unexpected. */
export function refusalOf(thrown: unknown): Refusal | undefined {
  if (isRefusal(thrown)) return thrown;
  // Read-only code throws SQLite's own errors.
  const error = explainFailure(thrown);
  if (error instanceof NoSpace) return refuse('no_space', error.message);
  if (error instanceof BadFile) return refuse('bad_file', error.message);
  if (error instanceof StoreUnavailable) return refuse('store_unavailable', error.message);
  if (isStringTooLong(error)) return refuse('too_large', TOO_LONG_MESSAGE);
  return undefined;
}

/** Formats an unexpected error for the operator, in one line. */
export function faultLine(error: unknown): string {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return text
    .split('\n')
    .map((line) => line.trim())
    .join(' ');
}

const TOO_LONG_MESSAGE =
  'The answer would be over 512 MB. Read the thread in pages instead: GET /api/threads/THREAD/events, or "heddle export".';

/** Whether a text exceeded V8's maximum string length, which holds however much memory there is. */
function isStringTooLong(error: unknown): boolean {
  return error instanceof RangeError && error.message === 'Invalid string length';
}

/** Fields that only the server sets (L2). */
const SET_BY_SERVER: ReadonlySet<string> = new Set(['id', 'ts', 'thread', 'seq', 'from', 'v', 'hash']);

/** Says which field is wrong, and what was expected there. */
export function malformedRefusal(error: z.ZodError, input: unknown): Refusal {
  const issue = deepestIssue(error.issues);
  const path = issue.path.map(String).join('.');
  return refuse('malformed', describeIssue(issue, path, input), path === '' ? {} : { path });
}

type SchemaIssue = z.core.$ZodIssue;

function describeIssue(issue: SchemaIssue, path: string, input: unknown): string {
  const subject = path === '' ? 'The request' : `"${path}"`;
  switch (issue.code) {
    case 'unrecognized_keys':
      return describeUnknownField(issue.keys[0] as string, path, input);
    case 'invalid_union':
      return describeUnion(issue, subject, path, input);
    case 'invalid_value':
      return `${subject} must be ${joinWithOr(issue.values.map((value) => JSON.stringify(value)))}.`;
    case 'invalid_type':
      return valueAt(input, issue.path) === undefined
        ? `${subject} is missing; it must be ${withArticle(issue.expected)}.`
        : `${subject} must be ${withArticle(issue.expected)}.`;
    case 'too_small':
    case 'too_big':
      return `${subject} is out of bounds: ${describeBounds(issue)}.`;
    default:
      return `${subject} is not valid: ${issue.message}.`;
  }
}

function describeUnknownField(key: string, path: string, input: unknown): string {
  const name = path === '' ? key : `${path}.${key}`;
  if (path === '' && SET_BY_SERVER.has(key)) {
    const ownValue = { thread: 'the thread of the address', from: 'your own id' }[key];
    return `"${name}" is set by the server${ownValue ? `: leave it out, or send ${ownValue}` : ' and cannot be sent. Leave it out'}.`;
  }
  if (isControl(input)) return describeControl(input, name);
  return `"${name}" is not a field here. Leave it out.`;
}

function describeUnion(
  issue: Extract<SchemaIssue, { code: 'invalid_union' }>,
  subject: string,
  path: string,
  input: unknown,
): string {
  if (path === 'type' && 'discriminator' in issue) {
    return `${subject} must be "message", "control", "task", "result" or "presence".`;
  }
  if (path.startsWith('content') && isControl(input)) return describeControl(input);
  if (path === 'to') return `${subject} must be "all", a participant id, or a list of 1 to 64 ids.`;
  if (path === 'content' && (input as { type?: unknown }).type === 'task')
    return 'A task needs a string, or an object with "text".';
  if (path === 'content' && (input as { type?: unknown }).type === 'result')
    return 'A result needs a string, or an object with any of "status", "text" and "data".';
  const sentences = issue.errors
    .map((issues) => deepestIssue(issues))
    .map((inner) => describeIssue(inner, '', undefined));
  const reasons = [...new Set(sentences)].map((reason) => reason.replace(/^The request /, '').replace(/\.$/, ''));
  return reasons.length === 0 ? `${subject} is not valid.` : `${subject} is not valid: ${reasons.join('; or ')}.`;
}

/** Describes the form of the control in the input, or lists all controls if it names none. */
function describeControl(input: unknown, fieldName?: string): string {
  const content = (input as { content?: unknown }).content;
  const names = typeof content === 'object' && content !== null ? Object.keys(content) : [];
  const [name = ''] = names;
  if (names.length !== 1 || !Object.hasOwn(controlForms, name)) {
    const all = Object.keys(controlForms).join(', ');
    return `A control's content needs exactly one of these keys: ${all}. See /docs for their shapes.`;
  }
  const problem = fieldName === undefined ? '' : `"${fieldName}" is not a field here. `;
  return `${problem}"${name}" takes ${controlForms[name as keyof typeof controlForms]}.`;
}

function isControl(input: unknown): boolean {
  return (input as { type?: unknown } | undefined)?.type === 'control';
}

/** If only one option of a union matches the keys, its issue says more than "fits none". */
function deepestIssue(issues: readonly SchemaIssue[]): SchemaIssue {
  const issue = issues[0] as SchemaIssue;
  if (issue.code !== 'invalid_union') return issue;
  const matchingOptions = issue.errors.filter((option) =>
    option.every((each) => each.path.length > 0 && each.code !== 'invalid_type'),
  );
  const onlyOption = matchingOptions.length === 1 ? matchingOptions[0] : undefined;
  if (!onlyOption) return issue;
  const nestedIssue = deepestIssue(onlyOption);
  return { ...nestedIssue, path: [...issue.path, ...nestedIssue.path] } as SchemaIssue;
}

function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  let value = input;
  for (const key of path) value = (value as Record<PropertyKey, unknown> | null | undefined)?.[key];
  return value;
}

function describeBounds(issue: Extract<SchemaIssue, { code: 'too_small' | 'too_big' }>): string {
  const unit = { string: ' characters', array: ' items', set: ' items', map: ' items' }[issue.origin as string] ?? '';
  return issue.code === 'too_small' ? `at least ${issue.minimum}${unit}` : `at most ${issue.maximum}${unit}`;
}

function joinWithOr(values: readonly string[]): string {
  return values.length < 2 ? (values[0] ?? 'nothing') : `${values.slice(0, -1).join(', ')} or ${values.at(-1)}`;
}
