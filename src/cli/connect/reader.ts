import { type Client, createClient, type Fetch } from '../../client/index.ts';
import { readLineFile } from '../../workspace/line-file.ts';
import type { Cli } from '../cli.ts';
import { findServer, openReadOnlyLog } from './workspace.ts';

/** A server that hangs does not keep anyone from reading. */
const SILENT_MS = 5_000;

interface ReadTarget {
  readonly fetch: Fetch;
  close(): Promise<void>;
}

/**
 * Runs `work` with a client that only reads: of the workspace's server if one is running, otherwise of a server in this
 * process, which needs no lock and disturbs nobody. If the server stops or moves, reading goes on.
 */
export async function withReader<T>(cli: Cli, work: (client: Client) => T | Promise<T>): Promise<T> {
  let target: Promise<ReadTarget> | undefined;
  let isRefused = false;

  function connect(): Promise<ReadTarget> {
    target ??= connectTo(cli, isRefused).catch((error) => {
      target = undefined;
      throw error;
    });
    return target;
  }

  async function fetch(request: Request): Promise<Response> {
    const used = connect();
    const { fetch: send, close } = await used;
    try {
      const response = await send(request);
      // A token of the workspace that its server does not know; reading the files needs none.
      if (response.status !== 401 || process.env.HEDDLE_TOKEN || isRefused) return response;
      isRefused = true;
    } catch (error) {
      if (request.signal.aborted) throw error;
    }
    if (target === used) {
      target = undefined;
      await close();
    }
    return (await connect()).fetch(request);
  }

  // Before any request, so that a workspace which cannot be opened says why.
  await connect();
  try {
    return await work(createClient({ url: 'http://127.0.0.1', fetch }));
  } finally {
    await (await target)?.close();
  }
}

async function connectTo(cli: Cli, isRefused: boolean): Promise<ReadTarget> {
  const token = process.env.HEDDLE_TOKEN || readLineFile(cli.directory.token);
  const server = token === undefined || isRefused ? undefined : await findServer(cli);
  if (server && token !== undefined) return { fetch: fetchFrom(server.url, token), close: async () => {} };
  const log = await openReadOnlyLog(cli);
  try {
    const reader = await cli.host.openReader(log, { isShared: cli.database !== undefined });
    const send = (request: Request) =>
      reader.fetch(withToken(request, request.url, process.env.HEDDLE_TOKEN || reader.guestToken));
    return { fetch: send, close: () => reader.close().finally(log.close) };
  } catch (error) {
    await log.close();
    throw error;
  }
}

function fetchFrom(base: string, token: string): Fetch {
  /** Keeps requests alive, as the client does for its own. */
  const liveRequests = new WeakMap<Request, Request>();
  return async (request) => {
    const { pathname, search } = new URL(request.url);
    const silence = new AbortController();
    const signal = AbortSignal.any([request.signal, silence.signal]);
    const rebased = withToken(new Request(request, { signal }), base + pathname + search, token);
    liveRequests.set(request, rebased);
    const timer = setTimeout(() => silence.abort(), SILENT_MS);
    return globalThis.fetch(rebased).finally(() => clearTimeout(timer));
  };
}

function withToken(request: Request, url: string, token: string): Request {
  const copy = new Request(url, request);
  copy.headers.set('authorization', `Bearer ${token}`);
  return copy;
}
