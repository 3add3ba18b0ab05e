import { z } from 'zod';
import { own } from '../../../core/util/get-own.ts';

/** What an error of a provider says, in whatever form it came. */
export interface Reported {
  /** One short sentence of its own, if it has one. */
  readonly message: string;
  readonly page: boolean;
  readonly contextTooSmall: boolean;
  readonly unknownModel: boolean;
  readonly quotaUsedUp: boolean;
  /** What it says the status is, where the error came within an answer. */
  readonly status?: number;
}

const LONGEST = 300;
const CONTEXT =
  /context_length_exceeded|exceed_context_size|context (length|size|window)|prompt is too long|too many tokens/i;
const UNKNOWN_MODEL = /model_not_found|not a valid model|^model:|(no|unknown|invalid) model\b/i;
const PAGE = /^\s*<(!doctype|html|head|\?xml)/i;
const QUOTA = /insufficient_quota|billing|credit balance/i;
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

const word = z.union([z.string(), z.number()]).nullish().catch(undefined);
const details = z.object({
  message: z.unknown().optional(),
  type: word,
  code: word,
  error: z.unknown().optional(),
  /** Servers on Pydantic tell which fields are wrong, one by one. */
  detail: z.unknown().optional(),
  msg: z.string().optional().catch(undefined),
  loc: z.array(word).optional().catch(undefined),
});

type Words = { readonly message: string } & Pick<z.infer<typeof details>, 'type' | 'code'>;

export function reportedIn(body: string): Reported {
  const { message, type, code } = read(body);
  const all = `${message}\n${type ?? ''}\n${code ?? ''}`;
  const status =
    typeof code === 'number' ? code : (own(STATUS_OF_TYPE, String(type)) ?? own(STATUS_OF_TYPE, String(code)));
  return {
    message: tidy(message),
    page: PAGE.test(body),
    contextTooSmall: CONTEXT.test(all),
    unknownModel: UNKNOWN_MODEL.test(all) || all.split('\n').some(saysModelIsMissing),
    quotaUsedUp: QUOTA.test(all),
    ...(status !== undefined && { status }),
  };
}

/** "The model `x` does not exist": both in one line. */
function saysModelIsMissing(line: string): boolean {
  const model = line.search(/model\W/i);
  return model >= 0 && /not found|not exist|unknown/i.test(line.slice(model + 'model'.length));
}

/** Providers put it at the top, under `error`, under `error` twice, under `detail`, or write plain text. */
function read(body: string): Words {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    return { message: PAGE.test(body) ? '' : body.slice(0, LONGEST) };
  }
  for (let depth = 0; depth < 5; depth++) {
    if (typeof value === 'string') return { message: value };
    if (Array.isArray(value)) value = value[0];
    const parsed = details.safeParse(value);
    if (!parsed.success) break;
    const { message, type, code, error, detail, msg, loc } = parsed.data;
    if (typeof message === 'string' && message !== '') return { message, type, code };
    if (msg !== undefined) return { message: `${loc?.join('.') ?? ''} ${msg}`.trim(), type, code };
    value = error ?? detail ?? message;
  }
  return { message: '' };
}

function tidy(message: string): string {
  const line = message.replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ').trim();
  const short = line.length > LONGEST ? `${line.slice(0, LONGEST)}…` : line;
  return short === '' || /[.!?…]$/.test(short) ? short : `${short}.`;
}
