import { randomUUID } from 'node:crypto';
import { createEngine } from '../engine/engine.ts';
import type { EventLog } from '../log/event-log.ts';
import { createApp } from './app.ts';
import { createCredentials } from './auth/credentials.ts';

export interface ReaderOptions {
  readonly version: string;
  /** Other servers may work on the same log. */
  readonly isShared: boolean;
}

/** A server that only reads: the log may be read-only, and other processes may append to it. */
export async function openReader(log: EventLog, { version, isShared }: ReaderOptions) {
  const engine = await createEngine({ log });
  const guestToken = randomUUID();
  const credentials = createCredentials({ log, clock: engine.clock, guestToken });
  const app = createApp({ engine, credentials, version, isServed: () => isShared });
  return {
    /** Valid for this reader only. */
    guestToken,
    async fetch(request: Request): Promise<Response> {
      if (request.method !== 'GET') throw new Error(`${request.method} ${request.url}: this server only reads.`);
      // A file does not say that another process appended to it. If it cannot be read, the route says why.
      await engine.tail.pull().catch(() => {});
      return app.fetch(request);
    },
    async close(): Promise<void> {
      app.close();
      credentials.close();
      await engine.close();
    },
  };
}
