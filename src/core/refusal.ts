/** Codes for every expected refusal. Only the edges map a code to an HTTP status or an exit code. */
export const refusalCodes = [
  'malformed',
  'unauthenticated',
  'forbidden',
  'wrong_origin',
  'unknown_thread',
  'unknown_event',
  'unknown_stream',
  'unknown_credential',
  'unknown_model',
  'unknown_client',
  'unknown_participant',
  'unknown_node',
  'unknown_blob',
  'unknown_persona',
  'unknown_route',
  'wrong_kind',
  'not_on_path',
  'conflict',
  'command_reused',
  'lease_lost',
  'participant_muted',
  'thread_paused',
  'task_not_open',
  'ambiguous_mention',
  'unknown_draft',
  'not_answering',
  'side_closed',
  'draft_pending',
  'idle',
  'turn_over',
  'unknown_turn',
  'unknown_iteration',
  'unknown_round',
  'unknown_thought',
  'ambiguous_accept',
  'not_a_reply',
  'already_running',
  'not_running',
  'nothing_pending',
  'answer_pending',
  'halted',
  'not_a_side_channel',
  'wrong_cursor',
  'too_large',
  'unacceptable_text',
  'bad_file',
  'rate_limited',
  'limit_reached',
  'budget_reached',
  'context_too_small',
  'model_unavailable',
  'store_unavailable',
  'no_space',
] as const;

export type RefusalCode = (typeof refusalCodes)[number];

export interface Refusal {
  readonly refusal: RefusalDetail;
}

export interface RefusalDetail {
  readonly code: RefusalCode;
  /** One sentence: what is wrong and what to do. */
  readonly message: string;
  readonly thread?: string;
  readonly participant?: string;
  readonly [extra: string]: unknown;
}

export function refuse(
  code: RefusalCode,
  message: string,
  details: Omit<RefusalDetail, 'code' | 'message'> = {},
): Refusal {
  return { refusal: { code, message, ...details } };
}

export function isRefusal(value: unknown): value is Refusal {
  return typeof value === 'object' && value !== null && 'refusal' in value;
}
