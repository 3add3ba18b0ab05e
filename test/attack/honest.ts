import { setTimeout as later } from 'node:timers/promises';
import { HeddleRefusal, type WirePostResult } from '../../src/client/index.ts';
import { BEE, type House, HUMAN } from './house.ts';

/** A message that was acknowledged. */
export interface Written {
  readonly from: string;
  readonly thread: string;
  readonly content: string;
  readonly event: string;
}

/** What honest work came to, for the checks. */
export interface HonestWork {
  readonly written: readonly Written[];
  /** The ids of events as each reader's stream told them. */
  readonly streams: ReadonlyMap<string, readonly string[]>;
}

/** In milliseconds, from sending a message to its acknowledgement. */
export interface Delays {
  readonly count: number;
  readonly median: number;
  readonly longest: number;
}

type HonestWriter = typeof HUMAN | typeof BEE;

const PACE_MS = 15;
const FORK_EVERY = 20;
const TWICE_EVERY = 7;
const MOST_TRIES = 20;
const CATCH_UP_MS = 30_000;

/** A human and an agent write, each to a thread of its own and to one they share; each reads a stream. */
export function startHonestLoad(house: House) {
  const writingOver = new AbortController();
  const readingOver = new AbortController();
  const written: Written[] = [];
  const delays: number[] = [];
  const streams = new Map<string, string[]>();
  const { hall, hive, study } = house.places;
  const reading = Promise.all([follow(HUMAN), follow(BEE, hall)]);
  const writing = Promise.all([write(HUMAN, study), write(BEE, hive)]);
  let onSeen = () => {};

  async function write(from: HonestWriter, own: string) {
    for (let i = 1; !writingOver.signal.aborted; i++) {
      const thread = i % 2 === 0 ? own : hall;
      const content = `${from} ${i}`;
      const start = performance.now();
      const event = await send(from, thread, content, i % TWICE_EVERY === 0 ? 2 : 1);
      delays.push(performance.now() - start);
      if (event !== undefined) written.push({ from, thread, content, event });
      if (from === HUMAN && i % FORK_EVERY === 0) {
        const human = await house.as(from);
        await human.thread(hall).command('fork', {}).catch(noteRefusal(from));
      }
      await later(PACE_MS);
    }
  }

  /** Sends it under the same key until it is answered, and now and then twice at once. */
  async function send(from: HonestWriter, thread: string, content: string, copies: number) {
    const options = { id: `honest-${content.replace(' ', '-')}` };
    for (let tries = 0; tries < MOST_TRIES; tries++) {
      const client = await house.as(from);
      const post = () => client.thread(thread).post({ type: 'message', content }, options);
      const answers = await Promise.all(Array.from({ length: copies }, () => post().catch(noteRefusal(from))));
      const ids = new Set(
        answers.filter((answer): answer is WirePostResult => answer !== undefined).map(({ event }) => event.id),
      );
      if (ids.size > 1) house.report.add(`a message of ${from} was stored twice under one key`, [...ids]);
      if (ids.size > 0) return [...ids][0];
    }
    house.report.add(`a message of ${from} could not be stored`, content);
    return undefined;
  }

  /** An honest writer is never refused; one that gets no answer tries again. */
  function noteRefusal(from: string) {
    return (error: unknown) => {
      if (error instanceof HeddleRefusal && error.status < 500)
        house.report.add(`an ordinary message of ${from} was refused`, error.message);
      return undefined;
    };
  }

  /** Every event once, across lost connections and servers that were started again. */
  async function follow(reader: HonestWriter, thread?: string) {
    const seen: string[] = [];
    streams.set(reader, seen);
    let cursor: string | undefined;
    while (!readingOver.signal.aborted) {
      const server = await house.server();
      const gone = new AbortController();
      void server.child.ended.then(() => gone.abort());
      const client = await house.as(reader);
      const options = { after: cursor, signal: AbortSignal.any([readingOver.signal, gone.signal]) };
      for await (const item of thread ? client.thread(thread).stream(options) : client.stream(options)) {
        if (!item.event) continue;
        cursor = item.cursor;
        seen.push(item.event.id);
        onSeen();
      }
    }
  }

  /** Resolves when both streams have told the last of what was acknowledged, or evidently will not. */
  async function caughtUp() {
    const patience = AbortSignal.timeout(CATCH_UP_MS);
    const isBehind = () => missingOn(streams, written, hall).length > 0;
    while (isBehind() && !patience.aborted) {
      await new Promise<void>((resolve) => {
        onSeen = resolve;
        patience.addEventListener('abort', () => resolve());
      });
    }
  }

  return {
    /** How long messages took since this was last asked. */
    takeDelays(): Delays {
      const sorted = delays.splice(0).sort((a, b) => a - b);
      return { count: sorted.length, median: sorted[sorted.length >> 1] ?? 0, longest: sorted.at(-1) ?? 0 };
    },
    async stop(): Promise<HonestWork> {
      writingOver.abort();
      await writing;
      await caughtUp();
      readingOver.abort();
      await reading;
      return { written, streams };
    },
  };
}

/** Messages that a stream should have told and has not: the human's tells all threads, the agent's one. */
export function missingOn(
  streams: HonestWork['streams'],
  written: readonly Written[],
  hall: string,
): readonly (Written & { readonly reader: string })[] {
  return [...streams].flatMap(([reader, seen]) => {
    const ids = new Set(seen);
    return written
      .filter(({ thread, event }) => (reader === HUMAN || thread === hall) && !ids.has(event))
      .map((each) => ({ ...each, reader }));
  });
}
