import { type Client, createClient } from '../client/index.ts';
import { isRefusal } from '../core/refusal.ts';
import type { EventLog } from '../log/event-log.ts';
import type { RunningServer } from '../workspace/server-file.ts';
import { readToken, writeToken } from '../workspace/token.ts';
import type { Cli } from './cli.ts';
import { Failure } from './failure.ts';
import type { Credentials } from './host.ts';
import { look, own, ownOrServer } from './own.ts';

/**
 * Does something as a client of this workspace (L9): of its server when one
 * runs, otherwise of one within this process that holds the lock. Either way
 * the same wishes get the same answers; with `working` their long work is done,
 * too, as long as this lasts.
 */
export async function withClient<T>(
  cli: Cli,
  work: (client: Client, server?: RunningServer) => Promise<T>,
  { working = false }: { readonly working?: boolean } = {},
): Promise<T> {
  const owned = await ownOrServer(cli);
  if ('url' in owned) return work(clientOf(cli, owned), owned);
  try {
    const server = await cli.host.openServer(owned.log, { settings: cli.directory.settings });
    try {
      if (working) server.startWork();
      const token = process.env.HEDDLE_TOKEN || (await ensureToken(cli, server.credentials, owned.settings.person.id));
      return await work(createClient({ url: 'http://127.0.0.1', token, fetch: server.fetch, retryForMs: 0 }));
    } finally {
      await server.close();
    }
  } finally {
    await owned.close();
  }
}

/** Lets the server do it when one runs; otherwise does it here, as the only one who writes to the log. */
export async function byServerOrSelf<T>(
  cli: Cli,
  byServer: (client: Client) => Promise<T>,
  bySelf: (log: EventLog) => Promise<T>,
): Promise<T> {
  const owned = await ownOrServer(cli);
  if ('url' in owned) return byServer(clientOf(cli, owned));
  return bySelf(owned.log).finally(owned.close);
}

/** Does something with the log, to read only. */
export async function withLog<T>(cli: Cli, work: (log: EventLog) => Promise<T>): Promise<T> {
  const log = await look(cli);
  try {
    return await work(log);
  } finally {
    await log.close();
  }
}

/** Does something as the only one who writes to the log. */
export async function withOwnLog<T>(cli: Cli, work: (log: EventLog) => Promise<T>): Promise<T> {
  const { log, close } = await own(cli);
  try {
    return await work(log);
  } finally {
    await close();
  }
}

/** The human's token: the one in the workspace if this log knows it, otherwise a new one. */
export async function ensureToken(cli: Cli, credentials: Credentials, person: string): Promise<string> {
  const { token: path } = cli.directory;
  const token = readToken(path);
  if (token !== undefined && (await credentials.find(token))) return token;
  const issued = await credentials.issue(person, 'human');
  if (isRefusal(issued)) {
    throw new Failure(issued.refusal.code, `heddle.yaml says that you are "${person}". ${issued.refusal.message}`);
  }
  writeToken(path, issued.token);
  return issued.token;
}

function clientOf(cli: Cli, { url }: RunningServer): Client {
  return createClient({ url, token: givenToken(cli) });
}

function givenToken({ directory }: Cli): string {
  const token = process.env.HEDDLE_TOKEN || readToken(directory.token);
  if (token !== undefined) return token;
  throw new Failure(
    'no_token',
    `${directory.token} is missing. Stop the server and start it again: it writes a new one.`,
  );
}
