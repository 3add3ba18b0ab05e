import { type RefusalCode, type RefusalDetail, refuse } from '../../../core/refusal.ts';
import type { Fault, RefusedChunk } from '../../model.ts';
import type { Call } from '../call.ts';
import type { RemoteOptions } from '../options.ts';
import { type RefusedField, refusedField } from '../quirks/refused-field.ts';
import { LONGEST_EVENT } from '../tap.ts';
import { type Reported, reportedIn } from './provider-error.ts';
import { retryAfterMs } from './retry-after.ts';
import { WireFault, type WireFaultKind } from './wire-fault.ts';

type Ending = Pick<RefusedChunk, 'refusal' | 'fault'>;

/** Whatever went wrong with a call, as one sentence: what it was, and what to do. */
export function outcomeOf(
  call: Call,
  error: unknown,
  options: RemoteOptions,
  began: boolean,
  /** It said no within a stream, before anything else came. */
  isRefused: boolean,
): RefusedChunk {
  const ending = endingOf(call, error, options, began);
  const message = call.redact(ending.refusal.message);
  const raw = { ...call.raw(), ...(isRefused && { refused: true as const }) };
  return { type: 'refused', ...ending, refusal: { ...ending.refusal, message, model: options.id }, raw };
}

/** Whether a request was refused for a field that it can do without (M11); fields of the person's own are not ours to drop. */
export function fieldRefused(call: Call, error: unknown, { extra = {} }: RemoteOptions): RefusedField | undefined {
  const { response } = call;
  if (!response) return undefined;
  const isError = response.status < 200 || response.status > 299;
  const said = isError ? call.raw().body : errorTextIn(error);
  if (said === undefined || (isError && !FOR_THE_REQUEST.has(response.status))) return undefined;
  const { contextTooSmall, unknownModel, quotaUsedUp, page, status = 500 } = reportedIn(said);
  if (contextTooSmall || unknownModel || quotaUsedUp || page) return undefined;
  const sent = Object.entries(call.sent()).filter(([name]) => !Object.hasOwn(extra, name));
  return refusedField(said, Object.fromEntries(sent), (isError ? response.status : status) >= 500);
}

/** Some servers answer 500 or 501 to what they do not know: that is mended, too, though nothing is learnt from it. */
const FOR_THE_REQUEST = new Set([400, 422, 500, 501]);

function endingOf(call: Call, error: unknown, options: RemoteOptions, began: boolean): Ending {
  const { response } = call;
  const where = place(options);
  if (response && (response.status < 200 || response.status > 299)) {
    const after = retryAfterMs(response.headers, Date.now());
    return byStatus(response.status, reportedIn(call.raw().body), options, after);
  }
  const failure = call.failure ?? error;
  if (failure instanceof WireFault) return byKind(failure, options, where);
  const inStream = reportedBy(error);
  if (inStream) return byStatus(inStream.status ?? 500, inStream, options, undefined);
  if (failure instanceof SyntaxError) {
    return lasting(`The model "${options.id}" sent something that is not JSON. ${atFault(where)}`);
  }
  return byCode(failure, options, where, began);
}

function byStatus(status: number, said: Reported, options: RemoteOptions, afterMs: number | undefined): Ending {
  const who = `The model "${options.id}"`;
  const where = place(options);
  const words = said.page ? ' with a web page instead of an answer' : said.message ? `: ${said.message}` : '';
  if (said.contextTooSmall) {
    return onRequest(
      'context_too_small',
      `${who} cannot take so long a prompt${words || '.'} Shorten it or choose a model with a larger context.`,
    );
  }
  if (said.unknownModel) {
    return lasting(
      `${where} knows no model named "${options.model}"${words || '.'} \`heddle models test ${options.id}\` lists what it offers.`,
    );
  }
  if (status === 401 || status === 403) {
    const key = options.apiKey === undefined ? 'wants a key, and none is set' : 'did not take the key';
    const type = `heddle models key ${options.id}`;
    return lasting(
      `${where} ${key} (${status})${words || '.'} Type it in: \`${type}\`, or name its variable: \`heddle models change ${options.id} --key-env NAME\`.`,
    );
  }
  if (status === 404) {
    return lasting(
      `${where} answered that there is nothing at this address (404)${words || '.'} Check base_url of "${options.id}".`,
    );
  }
  if (status === 402 || said.quotaUsedUp) {
    return lasting(`${who} has no credit or quota left (${status})${words || '.'} Top it up or choose another model.`);
  }
  if (status === 429) {
    const wait = afterMs === undefined ? 'Try again later.' : `Try again in ${Math.ceil(afterMs / 1000)} s.`;
    return passing('rate_limited', `${who} is asked too often (429)${words || '.'}`, wait, afterMs);
  }
  if (status === 413) return onRequest('too_large', `${who} says that the request is too large${words || '.'}`);
  if (status >= 500 || status === 408) {
    return passing('model_unavailable', `${who} failed (${status})${words || '.'}`, atFault(where), afterMs);
  }
  if (status < 400)
    return lasting(`${where} has moved (${status})${words || '.'} Set base_url of "${options.id}" to its new address.`);
  return onRequest('malformed', `${who} does not take the request (${status})${words || '.'}`);
}

const KINDS: Record<WireFaultKind, (detail: string, options: RemoteOptions) => string> = {
  'connect-timeout': (detail) => `could not be reached within ${detail}.`,
  'not-utf8': () => 'answered in something other than UTF-8.',
  'event-too-long': () => `sent a single event of more than ${LONGEST_EVENT / 1024 / 1024} MiB.`,
  'body-too-long': () => 'sent an answer without end, so it was stopped. What came is counted.',
  'not-events': () => 'sent something that is not a stream of events.',
  'wrong-type': (detail) =>
    `answered with ${/html/i.test(detail) ? 'a web page' : detail} where an answer was expected.`,
  'wrong-shape': (detail) => `sent an answer of a shape nobody knows (${detail}).`,
  'ended-early': () => 'stopped in the middle of its answer.',
};

function byKind({ kind, message }: WireFault, options: RemoteOptions, where: string): Ending {
  const sentence = `The model "${options.id}" ${KINDS[kind](message, options)}`;
  if (kind === 'connect-timeout' || kind === 'ended-early') {
    return passing('model_unavailable', sentence, atFault(where));
  }
  if (kind === 'body-too-long') return failed('too_large', sentence, { again: false });
  return lasting(`${sentence} Check that base_url of "${options.id}" (${where}) is a server of this kind.`);
}

function byCode(failure: unknown, options: RemoteOptions, where: string, began: boolean): Ending {
  const code = codeOf(failure);
  const named = `the model "${options.id}"`;
  if (code === 'ECONNREFUSED') {
    const message = `Nothing answers at ${where}, where ${named} should be. Start its server, or correct base_url.`;
    return passing('model_unavailable', message);
  }
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
    const message = `There is no ${where} to be found, where ${named} should be. Check base_url and the network.`;
    if (code === 'EAI_AGAIN') return passing('model_unavailable', message);
    return failed('model_unavailable', message, { again: false, passes: true });
  }
  if (/CERT|SIGNED|ISSUER|SIGNATURE/.test(code)) {
    const message = `The certificate of ${where} cannot be trusted (${code}), so nothing was sent to ${named}.`;
    return lasting(`${message} Have NODE_EXTRA_CA_CERTS name its authority, or correct base_url.`);
  }
  if (code === 'EPROTO' || code.startsWith('ERR_SSL') || code.startsWith('HPE_')) {
    return lasting(`What answers at ${where} is not ${named}'s protocol (${code}). Check http or https in base_url.`);
  }
  if (code === 'ERR_INVALID_URL') return lasting(`base_url of "${options.id}" is not an address. Correct it.`);
  const when = began ? 'in the middle of the answer' : 'before the answer began';
  const lost = /^E[A-Z]+$/.test(code) ? ` (${code})` : '';
  return passing('model_unavailable', `The connection to ${named} at ${where} was lost ${when}${lost}.`, 'Try again.');
}

/** Errors that a provider reports within a stream, as the client libraries throw them. */
function reportedBy(error: unknown): Reported | undefined {
  const text = errorTextIn(error);
  return text === undefined ? undefined : reportedIn(text);
}

/** Whether the provider itself said that something is wrong. */
export function isReported(error: unknown): boolean {
  return errorTextIn(error) !== undefined;
}

function errorTextIn(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('error' in error) || error.error === undefined) return undefined;
  return JSON.stringify({ error: error.error });
}

function codeOf(failure: unknown): string {
  for (let error = failure; error instanceof Error; error = error.cause) {
    const { code } = error as NodeJS.ErrnoException;
    if (typeof code === 'string') return code;
  }
  return '';
}

function place({ baseUrl, provider }: RemoteOptions): string {
  if (baseUrl === undefined) return provider === 'anthropic' ? 'api.anthropic.com' : 'api.openai.com';
  return URL.canParse(baseUrl) ? new URL(baseUrl).host : 'base_url';
}

function atFault(where: string): string {
  return `The fault is at ${where}: try again later or look there.`;
}

/** What passes by itself, with what to do for a person who waits for it. */
function passing(code: RefusalCode, what: string, advice = '', afterMs?: number): Ending {
  const fault = { again: true, passes: true, advice, ...(afterMs !== undefined && { afterMs }) };
  return failed(code, `${what} ${advice}`.trimEnd(), fault);
}

function failed(code: RefusalCode, message: string, fault: Fault): Ending {
  return { refusal: said(code, message), fault };
}

function lasting(message: string): Ending {
  return failed('model_unavailable', message, { again: false, passes: false });
}

function onRequest(code: RefusalCode, message: string): Ending {
  return { refusal: said(code, message) };
}

function said(code: RefusalCode, message: string): RefusalDetail {
  return refuse(code, message).refusal;
}
