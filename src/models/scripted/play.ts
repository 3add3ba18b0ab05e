import type { WireResponse } from '../remote/transport.ts';
import { realTime, type Time } from '../resilience/time.ts';
import type { Format } from './format.ts';
import type { Answer } from './script.ts';
import { choicesOf, type Limits } from './tokens.ts';

export interface Playing {
  readonly format: Format;
  readonly limits: Limits;
  readonly promptTokens: number;
  readonly signal: AbortSignal;
  readonly time?: Time;
  /** Called before each token: whoever holds the stream lets it wait here. */
  readonly gate?: (told: number) => Promise<void> | undefined;
}

/** A connection that breaks, as a socket reports it. */
class Broken extends Error {
  readonly code: string;

  constructor(code: 'ECONNRESET' | 'ECONNREFUSED') {
    super('played by a script');
    this.code = code;
  }
}

/** An answer as bytes on the wire, with all its faults: whoever reads it cannot tell it from a server. */
export function playAnswer(answer: Answer, playing: Playing): WireResponse {
  const { format } = playing;
  const { fault, message = 'This failure was scripted.' } = answer;
  if (fault === 'unreachable') throw new Broken('ECONNREFUSED');
  if (fault === 'rate_limited') return failure(429, 'rate_limit_error', 'Too many requests.');
  if (fault === 'server_error') return failure(500, 'server_error', message);
  if (fault === 'unknown_model') return failure(404, 'model_not_found', 'The model does not exist.');
  if (fault === 'web_page') return response(answer.status ?? 502, 'text/html', ['<html><h1>Bad gateway</h1></html>']);
  return { status: 200, headers: { 'content-type': format.contentType }, body: telling(answer, playing) };

  function failure(status: number, code: string, words: string): WireResponse {
    return response(answer.status ?? status, 'application/json', [format.error(answer.message ?? words, code)]);
  }

  function response(status: number, type: string, body: readonly string[]): WireResponse {
    const retry = answer.retry_after === undefined ? {} : { 'retry-after': String(answer.retry_after) };
    return { status, headers: { 'content-type': type, ...retry }, body: bytes(body) };
  }
}

async function* telling(answer: Answer, playing: Playing): AsyncGenerator<Uint8Array> {
  const { format, limits, promptTokens, signal, time = realTime, gate } = playing;
  const choices = choicesOf(answer, limits);
  const longest = Math.max(...choices.map(({ tokens }) => tokens.length));
  let told = 0;
  let failed = false;
  yield Buffer.from(format.begin());
  for (let i = 0; i < longest; i++) {
    for (const [choice, { tokens }] of choices.entries()) {
      const said = tokens[i];
      if (!said) continue;
      if (answer.fault && !failed && told === answer.after) {
        failed = true;
        yield* failing(answer.fault, playing);
      }
      await gate?.(told);
      if (answer.pace > 0) await time.wait(answer.pace, signal);
      if (signal.aborted) return;
      yield Buffer.from(format.piece(choice, said));
      told++;
    }
  }
  if (answer.fault && !failed) yield* failing(answer.fault, playing);
  for (const [choice, { finish }] of choices.entries()) yield Buffer.from(format.finish(choice, finish));
  yield Buffer.from(format.end({ prompt: promptTokens, generated: told }));
}

const TEN_MB = 10_000_000;

async function* failing(fault: NonNullable<Answer['fault']>, { format, signal }: Playing): AsyncGenerator<Uint8Array> {
  if (fault === 'hang') return await aborted(signal);
  if (fault === 'cut') throw new Broken('ECONNRESET');
  if (fault === 'malformed') yield Buffer.from('this is no event\nnor is this\n\n');
  if (fault === 'bad_json') yield Buffer.from(format.broken());
  if (fault === 'wrong_encoding') yield Buffer.concat([Buffer.from('data: '), Buffer.from('é\n\n', 'latin1')]);
  if (fault === 'long_line') {
    yield Buffer.from('data: ');
    for (let sent = 0; sent < TEN_MB; sent += 100_000) yield Buffer.alloc(100_000, 'x');
    yield Buffer.from('\n\n');
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

async function* bytes(parts: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const part of parts) yield Buffer.from(part);
}
