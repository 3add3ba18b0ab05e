import { refuse } from '../../core/refusal.ts';
import { withoutAdvice } from '../fault.ts';
import type { Chunk, Fault, Model, RawResponse, RefusedChunk, Sampling } from '../model.ts';
import { TIMEOUTS, type Timeouts } from '../remote/options.ts';
import { createWatch, type Watch } from './attempts.ts';
import { type Breaker, type BreakerOptions, createBreaker, type Health } from './breaker.ts';
import { realTime, type Time } from './time.ts';

export interface SteadyOptions extends Partial<Time> {
  /** Tries after the first. */
  readonly retries?: number;
  readonly breaker?: BreakerOptions;
  readonly timeouts?: Partial<Timeouts>;
  /** From 0 to 1. */
  readonly random?: () => number;
}

export interface SteadyModel extends Model {
  health(): Health;
}

const RETRIES = 2;
const BREAKER: BreakerOptions = { failures: 5, coolMs: 30_000 };
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 8_000;
/** Whoever asks for a longer pause is told to the person instead of being waited for. */
const LONGEST_ASKED_MS = 60_000;

/**
 * A model that never leaves its caller hanging: time-outs, tries again where that is safe, and a breaker. Whatever happens,
 * the stream comes to one end. Tried again is only what the model itself says may be, and only before the first token.
 */
export function steady(model: Model, options: SteadyOptions = {}): SteadyModel {
  const { retries = RETRIES, random = Math.random, now = realTime.now, wait = realTime.wait } = options;
  const time: Time = { now, wait };
  const timeouts = { ...TIMEOUTS, ...options.timeouts };
  const own = createBreaker(options.breaker ?? BREAKER, now);

  async function* run(
    ask: (signal: AbortSignal) => AsyncIterable<Chunk>,
    { n = 1, evenIfResting, isPatient }: Sampling,
    signal?: AbortSignal,
  ): AsyncGenerator<Chunk> {
    // A test of the model is always let through, and makes it wait no longer (M14).
    const breaker = evenIfResting ? { ...own, enter: () => true, failed: own.unsettled } : own;
    const failed: RawResponse[] = [];
    const watch = createWatch(model, timeouts, time, n, signal);
    try {
      for (let tried = 0; ; tried++) {
        if (!breaker.enter()) {
          const refused = withTries(resting(model.id, breaker, now()), failed);
          return void (yield failed.length === 0 ? { ...refused, unasked: true as const } : refused);
        }
        const refused = yield* attempt(ask, watch, breaker, failed);
        if (refused === undefined) return;
        const pause =
          tried < retries && !watch.began ? pauseAfter(refused.fault, tried, random, isPatient === true) : undefined;
        const isOver = breaker.health().state === 'open' && !evenIfResting;
        if (pause === undefined || isOver) return void (yield withTries(refused, failed));
        if (!(await watch.pause(pause))) return void (yield withTries(refused, failed));
        failed.push(...(refused.earlier ?? []), ...(refused.failed ?? []), ...(refused.raw ? [refused.raw] : []));
      }
    } finally {
      watch.leave();
    }
  }

  return {
    id: model.id,
    get capabilities() {
      return model.capabilities;
    },
    complete: (request, signal) => run((inner) => model.complete(request, inner), request, signal),
    chat: (request, signal) => run((inner) => model.chat(request, inner), request, signal),
    countTokens: (text) => model.countTokens(text),
    close: () => model.close(),
    health: own.health,
  };
}

/** One try: yields what comes, and returns the refusal it ended with, if it did. */
async function* attempt(
  ask: (signal: AbortSignal) => AsyncIterable<Chunk>,
  watch: Watch,
  breaker: Breaker,
  failed: readonly RawResponse[],
): AsyncGenerator<Chunk, RefusedChunk | undefined> {
  let settled = false;
  try {
    for await (const chunk of watch.follow(ask)) {
      if (chunk.type === 'refused') {
        settled = true;
        if (chunk.fault) breaker.failed(withoutAdvice(chunk.refusal.message, chunk.fault));
        else breaker.unsettled();
        return chunk;
      }
      if (chunk.type === 'done' && !watch.cancelled) {
        settled = true;
        breaker.succeeded();
      }
      yield chunk.type === 'done' ? withTries(chunk, failed) : chunk;
    }
    return undefined;
  } finally {
    if (!settled) breaker.unsettled();
  }
}

function withTries<Last extends Chunk>(chunk: Last, failed: readonly RawResponse[]): Last {
  if (failed.length === 0 || (chunk.type !== 'done' && chunk.type !== 'refused')) return chunk;
  return { ...chunk, failed: [...failed, ...(chunk.failed ?? [])] };
}

/** How long to wait before the next try; undefined when there is to be none. */
function pauseAfter(
  fault: Fault | undefined,
  tried: number,
  random: () => number,
  isPatient: boolean,
): number | undefined {
  if (!fault?.again) return undefined;
  const longest = isPatient ? 0 : LONGEST_ASKED_MS;
  if (fault.afterMs !== undefined) return fault.afterMs <= longest ? fault.afterMs : undefined;
  // Between half and all of it, so that those who failed together do not come back together.
  return Math.min(FIRST_PAUSE_MS * 2 ** tried, LONGEST_PAUSE_MS) * (0.5 + random() / 2);
}

function resting(id: string, breaker: Breaker, now: number): RefusedChunk {
  const { failures, last, until = now } = breaker.health();
  const seconds = Math.max(1, Math.ceil((until - now) / 1000));
  const times = failures === 1 ? 'once' : `${failures} times in a row`;
  const advice = `Try again in ${seconds} s.`;
  const message = `The model "${id}" failed ${times}. ${last ? `Last failure: ${last} ` : ''}${advice}`;
  const fault = { again: false, passes: true, advice, afterMs: Math.max(0, until - now) };
  return { type: 'refused', ...refuse('model_unavailable', message, { model: id }), fault };
}
