import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Client, createClient } from '../../src/client/index.ts';
import { heddleEntry } from '../support/program/entry.ts';
import { type Child, start } from './child.ts';

/** The real command, serving in a process of its own. */
export interface Server {
  readonly url: string;
  /** The human's. */
  readonly token: string;
  /** Whether it was told to die; until then nobody may lose a connection. */
  readonly killed: boolean;
  readonly child: Child;
  /** As the human, or as whoever has the token. Nothing is sent again by itself. */
  client(token?: string): Client;
  /** kill -9. */
  kill(): Promise<void>;
  /** Ctrl-C. */
  stop(): Promise<void>;
}

export interface Workspace {
  readonly path: string;
  readonly database: string;
  serve(): Promise<Server>;
  /** Begins to serve and is killed after so many milliseconds, ready or not. */
  serveFor(ms: number): Promise<void>;
}

/** A workspace for a while: whatever serves it is killed at the end. */
export async function withWorkspace<T>(
  work: (workspace: Workspace) => Promise<T>,
  options: readonly string[] = [],
): Promise<T> {
  const path = await mkdtemp(join(tmpdir(), 'heddle-fault-'));
  try {
    return await workIn(path, work, options);
  } finally {
    await rm(path, { recursive: true, force: true });
  }
}

/** The same in a directory that is there already, and stays. */
export async function workIn<T>(
  path: string,
  work: (workspace: Workspace) => Promise<T>,
  options: readonly string[] = [],
): Promise<T> {
  const started = new Set<Child>();
  function launch() {
    const words = ['serve', '--port', '0', '--no-open', '--json', '--workspace', path, ...options];
    const child = start(heddleEntry, words, { NODE_NO_WARNINGS: '1' });
    started.add(child);
    void child.ended.then(() => started.delete(child));
    return child;
  }
  try {
    return await work({
      path,
      database: join(path, 'heddle.db'),
      serve: () => ready(launch(), path),
      async serveFor(ms) {
        const child = launch();
        const timer = setTimeout(() => child.process.kill('SIGKILL'), ms);
        await child.ended;
        clearTimeout(timer);
      },
    });
  } finally {
    for (const child of started) child.process.kill('SIGKILL');
    await Promise.all([...started].map((child) => child.ended));
  }
}

async function ready(child: Child, path: string): Promise<Server> {
  const { url } = (await child.next()) as { url: string };
  const token = readFileSync(join(path, 'token'), 'utf8').trim();
  let killed = false;
  async function end(signal: NodeJS.Signals) {
    killed = true;
    child.process.kill(signal);
    await child.ended;
  }
  return {
    url,
    token,
    child,
    get killed() {
      return killed;
    },
    client: (as = token) => createClient({ url, token: as, retryForMs: 0 }),
    kill: () => end('SIGKILL'),
    stop: () => end('SIGINT'),
  };
}
