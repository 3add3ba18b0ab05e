import pg from 'pg';
import type { Listener } from '../event-log.ts';
import type { Target } from './connection.ts';
import { explain } from './errors.ts';

const FIRST_WAIT_MS = 100;
const LONGEST_WAIT_MS = 5000;
const HEARTBEAT_MS = 10_000;
/** PostgreSQL takes payloads shorter than 8,000 bytes. */
const MAX_PAYLOAD = 7999;

export interface Wakes {
  listen(listener: Listener): () => void;
  close(): Promise<void>;
}

/** One channel per workspace; channels are seen by the whole database. */
export function channelOf(schema: string): string {
  return `heddle.${schema}`;
}

/** A payload is the sender's name, then for an announcement a space and its text. */
export function announcement(origin: string, text: string): string {
  const payload = `${origin} ${text}`;
  const bytes = Buffer.byteLength(payload);
  if (bytes <= MAX_PAYLOAD) return payload;
  throw new RangeError(
    `An announcement is ${bytes - origin.length - 1} bytes; PostgreSQL carries at most ${MAX_PAYLOAD - origin.length - 1}. Send it in parts.`,
  );
}

/** Keeps one connection listening, through restarts of the server (L19). */
export async function openWakes(target: Target, origin: string): Promise<Wakes> {
  const listeners = new Set<Listener>();
  const stopped = new AbortController();
  let client = await connect();
  const heartbeat = setInterval(() => client.query('SELECT 1').catch(drop), HEARTBEAT_MS).unref();

  async function connect(): Promise<pg.Client> {
    const next = new pg.Client({ ...target.config, query_timeout: HEARTBEAT_MS / 2 });
    next.on('notification', ({ payload = '' }) => hear(payload));
    next.on('error', () => {});
    try {
      await next.connect();
      await next.query(`LISTEN "${channelOf(target.schema)}"`);
    } catch (error) {
      await end(next);
      throw explain(error, target.place);
    }
    next.once('end', () => void reconnect());
    return next;
  }

  /** Notices sent meanwhile are gone, so everybody looks into the log once. */
  async function reconnect() {
    for (let wait = FIRST_WAIT_MS; !stopped.signal.aborted; wait = Math.min(wait * 2, LONGEST_WAIT_MS)) {
      try {
        client = await connect();
        if (stopped.signal.aborted) return await end(client);
        for (const listener of listeners) listener.appended();
        return;
      } catch {
        await pause(wait * (0.5 + Math.random() / 2), stopped.signal);
      }
    }
  }

  function hear(payload: string) {
    const space = payload.indexOf(' ');
    const sender = space === -1 ? payload : payload.slice(0, space);
    if (sender === origin) return;
    for (const listener of listeners) {
      if (space === -1) listener.appended();
      else listener.announced(payload.slice(space + 1));
    }
  }

  /** The server went without a word: ends the connection here, which begins the next. */
  function drop() {
    void end(client);
  }

  return {
    listen(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    async close() {
      stopped.abort();
      clearInterval(heartbeat);
      listeners.clear();
      await end(client);
    },
  };
}

async function end(client: pg.Client): Promise<void> {
  await client.end().catch(() => {});
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, ms);
    signal.addEventListener('abort', done, { once: true });
    function done() {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    }
  });
}
