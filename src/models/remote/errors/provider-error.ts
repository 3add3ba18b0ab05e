import { z } from 'zod';
import { getOwn } from '../../../core/util/get-own.ts';

/** A provider's error, parsed from any of the usual forms. */
export interface ProviderError {
  /** One short sentence in the provider's words, if it has one. */
  readonly message: string;
  readonly isPage: boolean;
  readonly contextTooSmall: boolean;
  readonly unknownModel: boolean;
  readonly quotaUsedUp: boolean;
  /** The status that the error itself states, if it came within an answer. */
  readonly status?: number;
}

const MAX_MESSAGE_LENGTH = 300;
const CONTEXT_PATTERN =
  /context_length_exceeded|exceed_context_size|context (length|size|window)|prompt is too long|too many tokens/i;
const UNKNOWN_MODEL_PATTERN = /model_not_found|not a valid model|^model:|(no|unknown|invalid) model\b/i;
const PAGE_PATTERN = /^\s*<(!doctype|html|head|\?xml)/i;
const QUOTA_PATTERN = /insufficient_quota|billing|credit balance/i;
const STATUS_OF_TYPE: Readonly<Record<string, number>> = {
  overloaded_error: 529,
  rate_limit_error: 429,
  rate_limit_exceeded: 429,
  authentication_error: 401,
  permission_error: 403,
  invalid_request_error: 400,
  not_found_error: 404,
  request_too_large: 413,
};

const wordSchema = z.union([z.string(), z.number()]).nullish().catch(undefined);
const detailsSchema = z.object({
  message: z.unknown().optional(),
  type: wordSchema,
  code: wordSchema,
  error: z.unknown().optional(),
  /** Pydantic-based servers list the invalid fields one by one. */
  detail: z.unknown().optional(),
  msg: z.string().optional().catch(undefined),
  loc: z.array(wordSchema).optional().catch(undefined),
});

type ErrorDetails = { readonly message: string } & Pick<z.infer<typeof detailsSchema>, 'type' | 'code'>;

export function parseProviderError(body: string): ProviderError {
  const { message, type, code } = parseDetails(body);
  const searchText = `${message}\n${type ?? ''}\n${code ?? ''}`;
  const status =
    typeof code === 'number' ? code : (getOwn(STATUS_OF_TYPE, String(type)) ?? getOwn(STATUS_OF_TYPE, String(code)));
  return {
    message: tidyMessage(message),
    isPage: PAGE_PATTERN.test(body),
    contextTooSmall: CONTEXT_PATTERN.test(searchText),
    unknownModel: UNKNOWN_MODEL_PATTERN.test(searchText) || searchText.split('\n').some(saysModelIsMissing),
    quotaUsedUp: QUOTA_PATTERN.test(searchText),
    ...(status !== undefined && { status }),
  };
}

/** Matches "The model `x` does not exist": both parts on one line. */
function saysModelIsMissing(line: string): boolean {
  const model = line.search(/model\W/i);
  return model >= 0 && /not found|not exist|unknown/i.test(line.slice(model + 'model'.length));
}

/**
 * Providers put the details at the top level, under `error`, under `error` twice, under `detail`, or send plain text.
 */
function parseDetails(body: string): ErrorDetails {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    return { message: PAGE_PATTERN.test(body) ? '' : body.slice(0, MAX_MESSAGE_LENGTH) };
  }
  for (let depth = 0; depth < 5; depth++) {
    if (typeof value === 'string') return { message: value };
    if (Array.isArray(value)) value = value[0];
    const parsed = detailsSchema.safeParse(value);
    if (!parsed.success) break;
    const { message, type, code, error, detail, msg, loc } = parsed.data;
    if (typeof message === 'string' && message !== '') return { message, type, code };
    if (msg !== undefined) return { message: `${loc?.join('.') ?? ''} ${msg}`.trim(), type, code };
    value = error ?? detail ?? message;
  }
  return { message: '' };
}

function tidyMessage(message: string): string {
  const line = message.replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ').trim();
  const shortened = line.length > MAX_MESSAGE_LENGTH ? `${line.slice(0, MAX_MESSAGE_LENGTH)}…` : line;
  return shortened === '' || /[.!?…]$/.test(shortened) ? shortened : `${shortened}.`;
}
