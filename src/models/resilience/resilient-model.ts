import { refuse } from '../../core/refusal.ts';
import { withoutAdvice } from '../fault.ts';
import type { Chunk, Model, ModelFault, RawResponse, RefusedChunk, SamplingOptions } from '../model.ts';
import { DEFAULT_TIMEOUTS, type Timeouts } from '../remote/options.ts';
import { type Attempts, createAttempts } from './attempts.ts';
import { type Breaker, type BreakerOptions, createBreaker, type ModelHealth } from './breaker.ts';
import { realTime, type Time } from './time.ts';

export interface ResilienceOptions extends Partial<Time> {
  /** The number of retries after the first attempt. */
  readonly retries?: number;
  readonly breaker?: BreakerOptions;
  readonly timeouts?: Partial<Timeouts>;
  /** From 0 to 1. */
  readonly random?: () => number;
}

export interface ResilientModel extends Model {
  health(): ModelHealth;
}

const DEFAULT_RETRIES = 2;
const DEFAULT_BREAKER: BreakerOptions = { failures: 5, coolMs: 30_000 };
const FIRST_PAUSE_MS = 500;
const MAX_PAUSE_MS = 8_000;
/** If a server asks for a longer pause, the person gets an error instead of a wait. */
const MAX_RETRY_AFTER_MS = 60_000;

/**
 * A model that never leaves its caller hanging: timeouts, safe retries, and a breaker. The stream always ends exactly
 * once. It retries only if the model itself allows it, and only before the first token.
 */
export function createResilientModel(model: Model, options: ResilienceOptions = {}): ResilientModel {
  const { retries = DEFAULT_RETRIES, random = Math.random, now = realTime.now, wait = realTime.wait } = options;
  const time: Time = { now, wait };
  const timeouts = { ...DEFAULT_TIMEOUTS, ...options.timeouts };
  const ownBreaker = createBreaker(options.breaker ?? DEFAULT_BREAKER, now);

  async function* runAttempts(
    openStream: (signal: AbortSignal) => AsyncIterable<Chunk>,
    { n = 1, evenIfResting, isPatient }: SamplingOptions,
    signal?: AbortSignal,
  ): AsyncGenerator<Chunk> {
    // A test of the model always goes through, and a failure does not prolong the pause (M14).
    const breaker = evenIfResting ? { ...ownBreaker, enter: () => true, failed: ownBreaker.unsettled } : ownBreaker;
    const failedResponses: RawResponse[] = [];
    const attempts = createAttempts(model, timeouts, time, n, signal);
    try {
      for (let retryCount = 0; ; retryCount++) {
        if (!breaker.enter()) {
          const refusedChunk = withFailedResponses(breakerRefusal(model.id, breaker, now()), failedResponses);
          return void (yield failedResponses.length === 0 ? { ...refusedChunk, unasked: true as const } : refusedChunk);
        }
        const refusedChunk = yield* runAttempt(openStream, attempts, breaker, failedResponses);
        if (refusedChunk === undefined) return;
        const pauseMs =
          retryCount < retries && !attempts.hasOutput
            ? retryDelay(refusedChunk.fault, retryCount, random, isPatient === true)
            : undefined;
        const isBreakerOpen = breaker.health().state === 'open' && !evenIfResting;
        if (pauseMs === undefined || isBreakerOpen)
          return void (yield withFailedResponses(refusedChunk, failedResponses));
        if (!(await attempts.pause(pauseMs))) return void (yield withFailedResponses(refusedChunk, failedResponses));
        failedResponses.push(
          ...(refusedChunk.earlier ?? []),
          ...(refusedChunk.failed ?? []),
          ...(refusedChunk.raw ? [refusedChunk.raw] : []),
        );
      }
    } finally {
      attempts.abort();
    }
  }

  return {
    id: model.id,
    get capabilities() {
      return model.capabilities;
    },
    complete: (request, signal) =>
      runAttempts((attemptSignal) => model.complete(request, attemptSignal), request, signal),
    chat: (request, signal) => runAttempts((attemptSignal) => model.chat(request, attemptSignal), request, signal),
    countTokens: (text) => model.countTokens(text),
    close: () => model.close(),
    health: ownBreaker.health,
  };
}

/** One attempt: yields its chunks, and returns the refusal it ended with, if any. */
async function* runAttempt(
  openStream: (signal: AbortSignal) => AsyncIterable<Chunk>,
  attempts: Attempts,
  breaker: Breaker,
  failedResponses: readonly RawResponse[],
): AsyncGenerator<Chunk, RefusedChunk | undefined> {
  let isSettled = false;
  try {
    for await (const chunk of attempts.run(openStream)) {
      if (chunk.type === 'refused') {
        isSettled = true;
        if (chunk.fault) breaker.failed(withoutAdvice(chunk.refusal.message, chunk.fault));
        else breaker.unsettled();
        return chunk;
      }
      if (chunk.type === 'done' && !attempts.isCancelled) {
        isSettled = true;
        breaker.succeeded();
      }
      yield chunk.type === 'done' ? withFailedResponses(chunk, failedResponses) : chunk;
    }
    return undefined;
  } finally {
    if (!isSettled) breaker.unsettled();
  }
}

function withFailedResponses<EndingChunk extends Chunk>(
  chunk: EndingChunk,
  failedResponses: readonly RawResponse[],
): EndingChunk {
  if (failedResponses.length === 0 || (chunk.type !== 'done' && chunk.type !== 'refused')) return chunk;
  return { ...chunk, failed: [...failedResponses, ...(chunk.failed ?? [])] };
}

/** How long to wait before the next attempt; undefined if there is none. */
function retryDelay(
  fault: ModelFault | undefined,
  retryCount: number,
  random: () => number,
  isPatient: boolean,
): number | undefined {
  if (!fault?.again) return undefined;
  const maxDelay = isPatient ? 0 : MAX_RETRY_AFTER_MS;
  if (fault.afterMs !== undefined) return fault.afterMs <= maxDelay ? fault.afterMs : undefined;
  // A random part between half and all of the pause, so that requests that failed together do not retry together.
  return Math.min(FIRST_PAUSE_MS * 2 ** retryCount, MAX_PAUSE_MS) * (0.5 + random() / 2);
}

function breakerRefusal(id: string, breaker: Breaker, now: number): RefusedChunk {
  const { failures, last: lastFailure, until: openUntil = now } = breaker.health();
  const seconds = Math.max(1, Math.ceil((openUntil - now) / 1000));
  const times = failures === 1 ? 'once' : `${failures} times in a row`;
  const advice = `Try again in ${seconds} s.`;
  const message = `The model "${id}" failed ${times}. ${lastFailure ? `Last failure: ${lastFailure} ` : ''}${advice}`;
  const fault = { again: false, passes: true, advice, afterMs: Math.max(0, openUntil - now) };
  return { type: 'refused', ...refuse('model_unavailable', message, { model: id }), fault };
}
