import type { WireResponse } from '../remote/transport.ts';
import { realTime, type Time } from '../resilience/time.ts';
import type { WireFormat } from './format.ts';
import type { ScriptedAnswer } from './script.ts';
import { buildChoices, type ScriptedLimits } from './tokens.ts';

export interface PlaybackOptions {
  readonly format: WireFormat;
  readonly limits: ScriptedLimits;
  readonly promptTokens: number;
  readonly signal: AbortSignal;
  readonly time?: Time;
  /** Awaited before each token, so that a test can pause the stream. */
  readonly gate?: (tokenIndex: number) => Promise<void> | undefined;
}

/** A broken connection, in the form a socket reports it. */
class BrokenConnection extends Error {
  readonly code: string;

  constructor(code: 'ECONNRESET' | 'ECONNREFUSED') {
    super('played by a script');
    this.code = code;
  }
}

/** Plays an answer as bytes on the wire, including its faults: the reader cannot tell it from a server. */
export function playAnswer(answer: ScriptedAnswer, options: PlaybackOptions): WireResponse {
  const { format } = options;
  const { fault, message = 'This failure was scripted.' } = answer;
  if (fault === 'unreachable') throw new BrokenConnection('ECONNREFUSED');
  if (fault === 'rate_limited') return failure(429, 'rate_limit_error', 'Too many requests.');
  if (fault === 'server_error') return failure(500, 'server_error', message);
  if (fault === 'unknown_model') return failure(404, 'model_not_found', 'The model does not exist.');
  if (fault === 'web_page') return response(answer.status ?? 502, 'text/html', ['<html><h1>Bad gateway</h1></html>']);
  return { status: 200, headers: { 'content-type': format.contentType }, body: streamAnswer(answer, options) };

  function failure(status: number, code: string, defaultMessage: string): WireResponse {
    return response(answer.status ?? status, 'application/json', [
      format.error(answer.message ?? defaultMessage, code),
    ]);
  }

  function response(status: number, type: string, body: readonly string[]): WireResponse {
    const retry = answer.retry_after === undefined ? {} : { 'retry-after': String(answer.retry_after) };
    return { status, headers: { 'content-type': type, ...retry }, body: encodeParts(body) };
  }
}

async function* streamAnswer(answer: ScriptedAnswer, options: PlaybackOptions): AsyncGenerator<Uint8Array> {
  const { format, limits, promptTokens, signal, time = realTime, gate } = options;
  const choices = buildChoices(answer, limits);
  const maxLength = Math.max(...choices.map(({ tokens }) => tokens.length));
  let tokenCount = 0;
  let hasFailed = false;
  yield Buffer.from(format.begin());
  for (let i = 0; i < maxLength; i++) {
    for (const [choice, { tokens }] of choices.entries()) {
      const token = tokens[i];
      if (!token) continue;
      if (answer.fault && !hasFailed && tokenCount === answer.after) {
        hasFailed = true;
        yield* streamFault(answer.fault, options);
      }
      await gate?.(tokenCount);
      if (answer.pace > 0) await time.wait(answer.pace, signal);
      if (signal.aborted) return;
      yield Buffer.from(format.piece(choice, token));
      tokenCount++;
    }
  }
  if (answer.fault && !hasFailed) yield* streamFault(answer.fault, options);
  for (const [choice, { finish }] of choices.entries()) yield Buffer.from(format.finish(choice, finish));
  yield Buffer.from(format.end({ prompt: promptTokens, generated: tokenCount }));
}

const TEN_MB = 10_000_000;

async function* streamFault(
  fault: NonNullable<ScriptedAnswer['fault']>,
  { format, signal }: PlaybackOptions,
): AsyncGenerator<Uint8Array> {
  if (fault === 'hang') return await whenAborted(signal);
  if (fault === 'cut') throw new BrokenConnection('ECONNRESET');
  if (fault === 'malformed') yield Buffer.from('this is no event\nnor is this\n\n');
  if (fault === 'bad_json') yield Buffer.from(format.broken());
  if (fault === 'wrong_encoding') yield Buffer.concat([Buffer.from('data: '), Buffer.from('é\n\n', 'latin1')]);
  if (fault === 'long_line') {
    yield Buffer.from('data: ');
    for (let sentBytes = 0; sentBytes < TEN_MB; sentBytes += 100_000) yield Buffer.alloc(100_000, 'x');
    yield Buffer.from('\n\n');
  }
}

function whenAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

async function* encodeParts(parts: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const part of parts) yield Buffer.from(part);
}
