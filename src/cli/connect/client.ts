import { type Client, createClient, HeddleUnreachable } from '../../client/index.ts';
import { isRefusal } from '../../core/refusal.ts';
import type { EventLog } from '../../log/event-log.ts';
import { readLineFile, writeLineFile } from '../../workspace/line-file.ts';
import { type RunningServer, removeServerFile, writeServerFile } from '../../workspace/server-file.ts';
import type { Cli } from '../cli.ts';
import { Failure } from '../failure.ts';
import type { CredentialStore, HostedServer } from '../host.ts';
import { assertKnownToken, logName, openReadOnlyLog, ownWorkspace, serverOrWorkspace } from './workspace.ts';

/**
 * Runs `work` as a client of this workspace (L9): of its server if one is
 * running, otherwise of a server inside this process that holds the lock.
 * Either way the same requests get the same answers.
 */
export function withClient<T>(cli: Cli, work: (client: Client, server?: RunningServer) => Promise<T>): Promise<T> {
  return runAsClient(cli, work, async () => async () => {});
}

/** Retries an unreachable request with the current server or the log: the server may have stopped or moved. */
export async function askWithFailover<T>(
  cli: Cli,
  client: Client,
  request: (client: Client) => Promise<T>,
): Promise<T> {
  try {
    return await request(client);
  } catch (error) {
    if (!(error instanceof HeddleUnreachable)) throw error;
    return withClient(cli, request);
  }
}

/**
 * Like `withClient`, for long work that a server does. Without a server this
 * process acts as one until the work ends, and other commands can find it.
 */
export function withWorker<T>(cli: Cli, work: (client: Client, server?: RunningServer) => Promise<T>): Promise<T> {
  return runAsClient(cli, work, async (server) => {
    const { url, close } = await server.listen({ host: '127.0.0.1', port: 0 });
    server.startWork();
    writeServerFile(cli.directory.server, { url, page: url, pid: process.pid, log: logName(cli) });
    return async () => {
      removeServerFile(cli.directory.server, process.pid);
      await close();
    };
  });
}

async function runAsClient<T>(
  cli: Cli,
  work: (client: Client, server?: RunningServer) => Promise<T>,
  startServer: (server: HostedServer) => Promise<() => Promise<void>>,
): Promise<T> {
  const target = await serverOrWorkspace(cli);
  if ('url' in target) return work(clientFor(cli, target), target);
  try {
    const { settings, tokenKey } = cli.directory;
    const isShared = cli.database !== undefined;
    const server = await cli.host.openServer(target.log, { settings, tokenKey, isShared });
    try {
      const token = process.env.HEDDLE_TOKEN || (await ensureToken(cli, server.credentials, target.settings.person.id));
      const end = await startServer(server);
      const client = createClient({ url: 'http://127.0.0.1', token, fetch: server.fetch, retryForMs: 0 });
      return await work(client).finally(end);
    } finally {
      await server.close();
    }
  } finally {
    await target.close();
  }
}

/** Runs the work on the server if one is running; otherwise here, as the only writer to the log. */
export async function viaServerOrLog<T>(
  cli: Cli,
  viaServer: (client: Client) => Promise<T>,
  viaLog: (log: EventLog) => Promise<T>,
): Promise<T> {
  const target = await serverOrWorkspace(cli);
  if ('url' in target) return viaServer(clientFor(cli, target));
  return assertKnownToken(target.log)
    .then(() => viaLog(target.log))
    .finally(target.close);
}

/** Runs `work` with a read-only log. */
export async function withLog<T>(cli: Cli, work: (log: EventLog) => Promise<T>): Promise<T> {
  const log = await openReadOnlyLog(cli);
  try {
    await assertKnownToken(log);
    return await work(log);
  } finally {
    await log.close();
  }
}

/** Runs `work` as the only writer to the log. */
export async function withOwnLog<T>(cli: Cli, work: (log: EventLog) => Promise<T>): Promise<T> {
  const { log, close } = await ownWorkspace(cli);
  try {
    return await work(log);
  } finally {
    await close();
  }
}

/** The human's token: the one in the workspace if this log knows it, otherwise a new one. */
export async function ensureToken(cli: Cli, credentials: CredentialStore, person: string): Promise<string> {
  const { token: path } = cli.directory;
  const token = readLineFile(path);
  if (token !== undefined && (await credentials.find(token))) return token;
  const newCredential = await credentials.issue(person, 'human');
  if (isRefusal(newCredential)) {
    throw new Failure(
      newCredential.refusal.code,
      `heddle.yaml says that you are "${person}". ${newCredential.refusal.message}`,
    );
  }
  writeLineFile(path, newCredential.token);
  return newCredential.token;
}

function clientFor(cli: Cli, { url }: RunningServer): Client {
  return createClient({ url, token: requireToken(cli) });
}

/** The token from the environment, or the workspace's own. */
export function findToken({ directory }: Cli): string | undefined {
  return process.env.HEDDLE_TOKEN || readLineFile(directory.token);
}

function requireToken(cli: Cli): string {
  const { directory } = cli;
  const token = findToken(cli);
  if (token !== undefined) return token;
  throw new Failure(
    'no_token',
    `${directory.token} is missing. Stop the server and start it again: it writes a new one.`,
  );
}
