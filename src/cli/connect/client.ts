import { type Client, createClient, HeddleUnreachable } from '../../client/index.ts';
import { isRefusal } from '../../core/refusal.ts';
import type { EventLog } from '../../log/event-log.ts';
import { readToken, writeToken } from '../../workspace/keys/token.ts';
import { type RunningServer, removeServerFile, writeServerFile } from '../../workspace/server-file.ts';
import type { Cli } from '../cli.ts';
import { Failure } from '../failure.ts';
import type { Credentials, HostedServer } from '../host.ts';
import { logName, look, mustKnowToken, own, ownOrServer } from './workspace.ts';

/**
 * Does something as a client of this workspace (L9): of its server when one
 * runs, otherwise of one within this process that holds the lock. Either way
 * the same wishes get the same answers.
 */
export function withClient<T>(cli: Cli, work: (client: Client, server?: RunningServer) => Promise<T>): Promise<T> {
  return asClient(cli, work, async () => async () => {});
}

/** Asks this client, or the server there is now, or the log itself: the server may have gone or started elsewhere. */
export async function evenIfMoved<T>(cli: Cli, client: Client, ask: (client: Client) => Promise<T>): Promise<T> {
  try {
    return await ask(client);
  } catch (error) {
    if (!(error instanceof HeddleUnreachable)) throw error;
    return withClient(cli, ask);
  }
}

/**
 * The same for what takes a while and is done by a server: without one, this
 * process is it for so long, and commands given elsewhere find it.
 */
export function withWorker<T>(cli: Cli, work: (client: Client, server?: RunningServer) => Promise<T>): Promise<T> {
  return asClient(cli, work, async (server) => {
    const { url, close } = await server.listen({ host: '127.0.0.1', port: 0 });
    server.startWork();
    writeServerFile(cli.directory.server, { url, page: url, pid: process.pid, log: logName(cli) });
    return async () => {
      removeServerFile(cli.directory.server, process.pid);
      await close();
    };
  });
}

async function asClient<T>(
  cli: Cli,
  work: (client: Client, server?: RunningServer) => Promise<T>,
  begin: (server: HostedServer) => Promise<() => Promise<void>>,
): Promise<T> {
  const owned = await ownOrServer(cli);
  if ('url' in owned) return work(clientOf(cli, owned), owned);
  try {
    const { settings, tokenKey } = cli.directory;
    const server = await cli.host.openServer(owned.log, { settings, tokenKey });
    try {
      const token = process.env.HEDDLE_TOKEN || (await ensureToken(cli, server.credentials, owned.settings.person.id));
      const end = await begin(server);
      const client = createClient({ url: 'http://127.0.0.1', token, fetch: server.fetch, retryForMs: 0 });
      return await work(client).finally(end);
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
  return mustKnowToken(owned.log)
    .then(() => bySelf(owned.log))
    .finally(owned.close);
}

/** Does something with the log, to read only. */
export async function withLog<T>(cli: Cli, work: (log: EventLog) => Promise<T>): Promise<T> {
  const log = await look(cli);
  try {
    await mustKnowToken(log);
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

/** The token that was given, or the workspace's own. */
export function knownToken({ directory }: Cli): string | undefined {
  return process.env.HEDDLE_TOKEN || readToken(directory.token);
}

function givenToken(cli: Cli): string {
  const { directory } = cli;
  const token = knownToken(cli);
  if (token !== undefined) return token;
  throw new Failure(
    'no_token',
    `${directory.token} is missing. Stop the server and start it again: it writes a new one.`,
  );
}
