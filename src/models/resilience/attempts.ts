import { refuse } from '../../core/refusal.ts';
import type { Chunk, DoneChunk, Model, RefusedChunk } from '../model.ts';
import type { Timeouts } from '../remote/options.ts';
import type { Time } from './time.ts';

/** Follows the tries of one request by the clock, and takes each of them to an end, even if the model does not. */
export interface Watch {
  follow(ask: (signal: AbortSignal) => AsyncIterable<Chunk>): AsyncGenerator<Chunk>;
  /** False, and at once, when there is not so much time left. */
  pause(ms: number): Promise<boolean>;
  leave(): void;
  /** Something of an answer came. */
  readonly began: boolean;
  /** The caller called it off. */
  readonly cancelled: boolean;
}

type Step = Promise<IteratorResult<Chunk>>;
type Event = { readonly chunk: IteratorResult<Chunk> } | { readonly error: unknown } | 'late' | 'aborted';

/** A model that was told to stop has so long to say what came of it. */
export const GRACE_MS = 1_500;

export function createWatch(
  model: Model,
  timeouts: Timeouts,
  time: Time,
  n: number,
  signal: AbortSignal | undefined,
): Watch {
  const deadline = time.now() + timeouts.total;
  const left = new AbortController();
  const outer = signal ? AbortSignal.any([signal, left.signal]) : left.signal;
  const open = new Set(Array.from({ length: n }, (_, choice) => choice));
  let began = false;

  async function* follow(ask: (signal: AbortSignal) => AsyncIterable<Chunk>): AsyncGenerator<Chunk> {
    const inner = new AbortController();
    const steps = stepsOf(ask, AbortSignal.any([outer, inner.signal]));
    let finished = false;
    try {
      while (!finished) {
        const [limit, name] = limitNow();
        const step = steps.next();
        const event = await race(step, limit);
        if (event === 'aborted') return yield* cancelled(step, steps);
        if (event === 'late') {
          inner.abort();
          const { raw, usage } = (await lastOf(step, steps)) ?? {};
          return yield {
            ...tooLate(model.id, name, timeouts[name], began),
            ...(raw && { raw }),
            ...(usage && { usage }),
          };
        }
        if ('error' in event || event.chunk.done)
          return yield broken(model.id, 'error' in event ? event.error : undefined);
        const chunk = event.chunk.value;
        note(chunk);
        finished = chunk.type === 'done' || chunk.type === 'refused';
        yield chunk;
      }
    } finally {
      inner.abort();
      void Promise.resolve(steps.return?.()).catch(() => {});
    }
  }

  function note(chunk: Chunk): void {
    if (chunk.type === 'text' || chunk.type === 'end') began = true;
    if (chunk.type === 'end') open.delete(chunk.choice);
  }

  /** How long the next step may take, and which rule says so. */
  function limitNow(): readonly [number, keyof Timeouts] {
    const total = Math.max(0, deadline - time.now());
    const name = began ? 'idle' : 'firstToken';
    // A model that does not stream gives everything at its end.
    if (!model.capabilities.streaming || timeouts[name] >= total) return [total, 'total'];
    return [timeouts[name], name];
  }

  async function race(step: Step, ms: number): Promise<Event> {
    const over = new AbortController();
    const aborted = new Promise<Event>((resolve) => {
      if (outer.aborted) resolve('aborted');
      outer.addEventListener('abort', () => resolve('aborted'), { once: true, signal: over.signal });
    });
    const late = time.wait(ms, over.signal).then((): Event => 'late');
    const came = step.then(
      (chunk): Event => ({ chunk }),
      (error: unknown): Event => ({ error }),
    );
    try {
      return await Promise.race([came, aborted, late]);
    } finally {
      over.abort();
    }
  }

  /** What a model still says after it was stopped is heard for a little while; the rest is said in its place. */
  async function* cancelled(step: Step, steps: AsyncIterator<Chunk>): AsyncGenerator<Chunk> {
    const last = await lastOf(step, steps);
    for (const choice of open) yield { type: 'end', choice, reason: 'cancelled' };
    if (last?.type === 'done') yield last;
    else {
      const { raw, usage } = last ?? {};
      yield {
        type: 'done',
        usage: usage ?? { promptTokens: 0, generatedTokens: 0, estimated: true },
        dropped: 0,
        ...(raw && { raw }),
      };
    }
  }

  async function lastOf(step: Step, steps: AsyncIterator<Chunk>): Promise<DoneChunk | RefusedChunk | undefined> {
    const over = new AbortController();
    const drained = (async () => {
      for (let next = step; ; next = steps.next()) {
        const { done, value } = await next;
        if (done) return undefined;
        if (value.type === 'done' || value.type === 'refused') return value;
      }
    })().catch(() => undefined);
    const grace = time.wait(GRACE_MS, over.signal).then(() => undefined);
    const last = await Promise.race([drained, grace]);
    over.abort();
    return last;
  }

  return {
    follow,
    pause: async (ms) => {
      if (ms >= deadline - time.now()) return false;
      await time.wait(ms, outer);
      return true;
    },
    leave: () => left.abort(),
    get began() {
      return began;
    },
    get cancelled() {
      return outer.aborted;
    },
  };
}

/** Asking may fail as well as answering. */
function stepsOf(ask: (signal: AbortSignal) => AsyncIterable<Chunk>, signal: AbortSignal): AsyncIterator<Chunk> {
  try {
    return ask(signal)[Symbol.asyncIterator]();
  } catch (error) {
    return { next: () => Promise.reject(error) };
  }
}

const LATE: Record<keyof Timeouts, (seconds: string) => string> = {
  connect: (seconds) => `could not be reached within ${seconds}`,
  firstToken: (seconds) => `said nothing for ${seconds}`,
  idle: (seconds) => `fell silent for ${seconds} in the middle of its answer`,
  total: (seconds) => `was not done after ${seconds}`,
};

function tooLate(id: string, name: keyof Timeouts, ms: number, began: boolean): RefusedChunk {
  const kept = began ? ' What came so far is kept.' : '';
  const advice = 'Try again or choose another.';
  const message = `The model "${id}" ${LATE[name](`${ms / 1000} s`)}, so it was stopped.${kept} ${advice}`;
  const fault = { again: false, passes: true, advice };
  return { type: 'refused', ...refuse('model_unavailable', message, { model: id }), fault };
}

function broken(id: string, error: unknown): RefusedChunk {
  // Its message is nobody's to read: it might tell what the model was called with.
  const what =
    error === undefined ? 'stopped without saying why' : `broke (${error instanceof Error ? error.name : 'error'})`;
  const message = `The model "${id}" ${what}. Try again or choose another.`;
  return { type: 'refused', ...refuse('model_unavailable', message, { model: id }), fault: { again: false } };
}
