import { type RefusalCode, type RefusalDetail, refuse } from '../../../core/refusal.ts';
import type { ModelFault, RefusedChunk } from '../../model.ts';
import type { ProviderCall } from '../call.ts';
import type { RemoteOptions } from '../options.ts';
import { parseRefusedField, type RefusedField } from '../quirks/refused-field.ts';
import { MAX_EVENT_LENGTH } from '../tap.ts';
import { type ProviderError, parseProviderError } from './provider-error.ts';
import { retryAfterMs } from './retry-after.ts';
import { WireFault, type WireFaultKind } from './wire-fault.ts';

type FaultOutcome = Pick<RefusedChunk, 'refusal' | 'fault'>;

/** Describes any failure of a call in one message: what happened, and what to do. */
export function refusedChunkFor(
  call: ProviderCall,
  error: unknown,
  options: RemoteOptions,
  hasOutput: boolean,
  /** The provider refused within a stream, before anything else arrived. */
  isRefused: boolean,
): RefusedChunk {
  const outcome = classifyFailure(call, error, options, hasOutput);
  const message = call.redact(outcome.refusal.message);
  const raw = { ...call.raw(), ...(isRefused && { refused: true as const }) };
  return { type: 'refused', ...outcome, refusal: { ...outcome.refusal, message, model: options.id }, raw };
}

/**
 * The field a request was refused for, if the request can do without it (M11); fields a person added are never
 * dropped.
 */
export function findRefusedField(
  call: ProviderCall,
  error: unknown,
  { extra = {} }: RemoteOptions,
): RefusedField | undefined {
  const { response } = call;
  if (!response) return undefined;
  const isError = response.status < 200 || response.status > 299;
  const errorText = isError ? call.raw().body : errorTextOf(error);
  if (errorText === undefined) return undefined;
  // OpenRouter finds no server for a request with images.
  const isAboutImages = response.status === 404 && /image input/i.test(errorText);
  if (isError && !FIELD_ERROR_STATUSES.has(response.status) && !isAboutImages) return undefined;
  const { contextTooSmall, unknownModel, quotaUsedUp, isPage: page, status = 500 } = parseProviderError(errorText);
  if (contextTooSmall || unknownModel || quotaUsedUp || page) return undefined;
  const sentFields = Object.entries(call.requestFields()).filter(([name]) => !Object.hasOwn(extra, name));
  return parseRefusedField(errorText, Object.fromEntries(sentFields), (isError ? response.status : status) >= 500);
}

/** Some servers answer 500 or 501 to an unknown field: the request is corrected then too, but nothing is remembered. */
const FIELD_ERROR_STATUSES = new Set([400, 422, 500, 501]);

function classifyFailure(call: ProviderCall, error: unknown, options: RemoteOptions, hasOutput: boolean): FaultOutcome {
  const { response } = call;
  const host = hostOf(options);
  if (response && (response.status < 200 || response.status > 299)) {
    const retryMs = retryAfterMs(response.headers, Date.now());
    return faultForStatus(response.status, parseProviderError(call.raw().body), options, retryMs);
  }
  const failure = call.failure ?? error;
  if (failure instanceof WireFault) return faultForWireKind(failure, options, host);
  const streamError = providerErrorOf(error);
  if (streamError) return faultForStatus(streamError.status ?? 500, streamError, options, undefined);
  if (failure instanceof SyntaxError) {
    return lastingFault(`The model "${options.id}" sent something that is not JSON. ${serverAdvice(host)}`);
  }
  return faultForErrorCode(failure, options, host, hasOutput);
}

function faultForStatus(
  status: number,
  providerError: ProviderError,
  options: RemoteOptions,
  afterMs: number | undefined,
): FaultOutcome {
  const subject = `The model "${options.id}"`;
  const host = hostOf(options);
  const detail = providerError.isPage
    ? ' with a web page instead of an answer'
    : providerError.message
      ? `: ${providerError.message}`
      : '';
  if (providerError.contextTooSmall) {
    return requestRefusal(
      'context_too_small',
      `${subject} cannot take a prompt of this length${detail || '.'} Shorten it or choose a model with a larger context.`,
    );
  }
  if (providerError.unknownModel) {
    return lastingFault(
      `${host} has no model "${options.model}"${detail || '.'} \`heddle models test ${options.id}\` lists what it offers.`,
    );
  }
  if (status === 401 || status === 403) {
    const keyProblem = options.apiKey === undefined ? 'needs a key, and none is set' : 'refused the key';
    const keyCommand = `heddle models key ${options.id}`;
    return lastingFault(
      `${host} ${keyProblem} (${status})${detail || '.'} Type it in: \`${keyCommand}\`, or name its variable: \`heddle models change ${options.id} --key-env NAME\`.`,
    );
  }
  if (status === 404) {
    return lastingFault(
      `${host} answered that there is nothing at this address (404)${detail || '.'} Check base_url of "${options.id}".`,
    );
  }
  if (status === 402 || providerError.quotaUsedUp) {
    return lastingFault(
      `${subject} has no credit or quota left (${status})${detail || '.'} Top it up or choose another model.`,
    );
  }
  if (status === 429) {
    const retryAdvice = afterMs === undefined ? 'Try again later.' : `Try again in ${Math.ceil(afterMs / 1000)} s.`;
    return transientFault('rate_limited', `${subject} is rate-limited (429)${detail || '.'}`, retryAdvice, afterMs);
  }
  if (status === 413)
    return requestRefusal('too_large', `${subject} says that the request is too large${detail || '.'}`);
  if (status >= 500 || status === 408) {
    return transientFault(
      'model_unavailable',
      `${subject} failed (${status})${detail || '.'}`,
      serverAdvice(host),
      afterMs,
    );
  }
  if (status < 400)
    return lastingFault(
      `${host} has moved (${status})${detail || '.'} Set base_url of "${options.id}" to its new address.`,
    );
  return requestRefusal('malformed', `${subject} refused the request (${status})${detail || '.'}`);
}

const WIRE_FAULT_PHRASES: Record<WireFaultKind, (detail: string, options: RemoteOptions) => string> = {
  'connect-timeout': (detail) => `could not be reached within ${detail}.`,
  'not-utf8': () => 'answered in something other than UTF-8.',
  'event-too-long': () => `sent a single event of more than ${MAX_EVENT_LENGTH / 1024 / 1024} MiB.`,
  'body-too-long': () => 'sent an endless answer, so it was stopped. The tokens so far are counted.',
  'not-events': () => 'sent something that is not a stream of events.',
  'wrong-type': (detail) =>
    `answered with ${/html/i.test(detail) ? 'a web page' : detail} where an answer was expected.`,
  'wrong-shape': (detail) => `sent an answer in an unknown format (${detail}).`,
  'ended-early': () => 'stopped in the middle of its answer.',
};

function faultForWireKind({ kind, message }: WireFault, options: RemoteOptions, host: string): FaultOutcome {
  const sentence = `The model "${options.id}" ${WIRE_FAULT_PHRASES[kind](message, options)}`;
  if (kind === 'connect-timeout' || kind === 'ended-early') {
    return transientFault('model_unavailable', sentence, serverAdvice(host));
  }
  if (kind === 'body-too-long') return faultOutcome('too_large', sentence, { again: false });
  return lastingFault(`${sentence} Check that base_url of "${options.id}" (${host}) is a server of this kind.`);
}

function faultForErrorCode(failure: unknown, options: RemoteOptions, host: string, hasOutput: boolean): FaultOutcome {
  const code = codeOf(failure);
  const subject = `the model "${options.id}"`;
  if (code === 'ECONNREFUSED') {
    const message = `Nothing answers at ${host}, the address of ${subject}. Start its server, or correct base_url.`;
    return transientFault('model_unavailable', message);
  }
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
    const message = `The host ${host} of ${subject} was not found. Check base_url and the network.`;
    if (code === 'EAI_AGAIN') return transientFault('model_unavailable', message);
    return faultOutcome('model_unavailable', message, { again: false, passes: true });
  }
  if (/CERT|SIGNED|ISSUER|SIGNATURE/.test(code)) {
    const message = `The certificate of ${host} cannot be trusted (${code}), so nothing was sent to ${subject}.`;
    return lastingFault(`${message} Set NODE_EXTRA_CA_CERTS to its certificate authority, or correct base_url.`);
  }
  if (code === 'EPROTO' || code.startsWith('ERR_SSL') || code.startsWith('HPE_')) {
    return lastingFault(
      `${host} does not speak the protocol of ${subject} (${code}). Check http or https in base_url.`,
    );
  }
  if (code === 'ERR_INVALID_URL') return lastingFault(`base_url of "${options.id}" is not an address. Correct it.`);
  const phase = hasOutput ? 'in the middle of the answer' : 'before the answer began';
  const codeNote = /^E[A-Z]+$/.test(code) ? ` (${code})` : '';
  return transientFault(
    'model_unavailable',
    `The connection to ${subject} at ${host} was lost ${phase}${codeNote}.`,
    'Try again.',
  );
}

/** Errors that a provider reports within a stream, as the client libraries throw them. */
function providerErrorOf(error: unknown): ProviderError | undefined {
  const text = errorTextOf(error);
  return text === undefined ? undefined : parseProviderError(text);
}

/** Whether the provider itself said that something is wrong. */
export function isProviderError(error: unknown): boolean {
  return errorTextOf(error) !== undefined;
}

function errorTextOf(error: unknown): string | undefined {
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

function hostOf({ baseUrl, provider }: RemoteOptions): string {
  if (baseUrl === undefined) return provider === 'anthropic' ? 'api.anthropic.com' : 'api.openai.com';
  return URL.canParse(baseUrl) ? new URL(baseUrl).host : 'base_url';
}

function serverAdvice(host: string): string {
  return `The problem is at ${host}: try again later, or check that server.`;
}

/** A fault that passes by itself, with advice for a person who waits. */
function transientFault(code: RefusalCode, problem: string, advice = '', afterMs?: number): FaultOutcome {
  const fault = { again: true, passes: true, advice, ...(afterMs !== undefined && { afterMs }) };
  return faultOutcome(code, `${problem} ${advice}`.trimEnd(), fault);
}

function faultOutcome(code: RefusalCode, message: string, fault: ModelFault): FaultOutcome {
  return { refusal: refusalDetail(code, message), fault };
}

function lastingFault(message: string): FaultOutcome {
  return faultOutcome('model_unavailable', message, { again: false, passes: false });
}

function requestRefusal(code: RefusalCode, message: string): FaultOutcome {
  return { refusal: refusalDetail(code, message) };
}

function refusalDetail(code: RefusalCode, message: string): RefusalDetail {
  return refuse(code, message).refusal;
}
