import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { LogListener } from '../event-log.ts';
import type { PostgresTarget } from './connection.ts';
import { explainError } from './errors.ts';

const FIRST_RETRY_MS = 100;
const MAX_RETRY_MS = 5000;
const HEARTBEAT_MS = 10_000;
/** PostgreSQL accepts payloads shorter than 8,000 bytes. */
const MAX_PAYLOAD = 7999;

export interface LogNotifications {
  listen(listener: LogListener): () => void;
  close(): Promise<void>;
}

/** One channel per workspace; channels are visible to the whole database. */
export function channelOf(schema: string): string {
  return `heddle.${schema}`;
}

/** A payload is the sender's name; an announcement adds a space and its text. */
export function announcementPayload(origin: string, text: string): string {
  const payload = `${origin} ${text}`;
  const bytes = Buffer.byteLength(payload);
  if (bytes <= MAX_PAYLOAD) return payload;
  throw new RangeError(
    `An announcement is ${bytes - origin.length - 1} bytes; PostgreSQL carries at most ${MAX_PAYLOAD - origin.length - 1}. Send it in parts.`,
  );
}

/** Keeps one connection listening, across server restarts (L19). */
export async function openNotifications(target: PostgresTarget, origin: string): Promise<LogNotifications> {
  const listeners = new Set<LogListener>();
  const stopController = new AbortController();
  let client = await connect();
  const heartbeat = setInterval(() => client.query('SELECT 1').catch(dropConnection), HEARTBEAT_MS).unref();

  async function connect(): Promise<pg.Client> {
    const newClient = new pg.Client({ ...target.config, query_timeout: HEARTBEAT_MS / 2 });
    newClient.on('notification', ({ payload = '' }) => handleNotification(payload));
    newClient.on('error', () => {});
    try {
      await newClient.connect();
      await newClient.query(`LISTEN "${channelOf(target.schema)}"`);
    } catch (error) {
      await endClient(newClient);
      throw explainError(error, target.location);
    }
    newClient.once('end', () => void reconnect());
    return newClient;
  }

  /** Notifications sent while disconnected are lost, so every listener reads the log once. */
  async function reconnect() {
    for (let retryMs = FIRST_RETRY_MS; !stopController.signal.aborted; retryMs = Math.min(retryMs * 2, MAX_RETRY_MS)) {
      try {
        client = await connect();
        if (stopController.signal.aborted) return await endClient(client);
        for (const listener of listeners) listener.onAppend();
        return;
      } catch {
        const { signal } = stopController;
        await sleep(retryMs * (0.5 + Math.random() / 2), undefined, { signal }).catch(() => {});
      }
    }
  }

  function handleNotification(payload: string) {
    const space = payload.indexOf(' ');
    const sender = space === -1 ? payload : payload.slice(0, space);
    if (sender === origin) return;
    for (const listener of listeners) {
      if (space === -1) listener.onAppend();
      else listener.onAnnouncement(payload.slice(space + 1));
    }
  }

  /** The server disappeared silently: closes the connection here, which triggers a reconnect. */
  function dropConnection() {
    void endClient(client);
  }

  return {
    listen(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    async close() {
      stopController.abort();
      clearInterval(heartbeat);
      listeners.clear();
      await endClient(client);
    },
  };
}

async function endClient(client: pg.Client): Promise<void> {
  await client.end().catch(() => {});
}
