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
 * Does something as a client of this workspace (L9): of its server when one
 * runs, otherwise of one within this process that holds the lock. Either way
 * the same wishes get the same answers.
 */
export function withClient<T>(cli: Cli, work: (client: Client, server?: RunningServer) => Promise<T>): Promise<T> {
  return runAsClient(cli, work, async () => async () => {});
}

/** Asks this client, or the server there is now, or the log itself: the server may have gone or started elsewhere. */
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
 * The same for what takes a while and is done by a server: without one, this
 * process is it for so long, and commands given elsewhere find it.
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
    const server = await cli.host.openServer(target.log, { settings, tokenKey });
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

/** Lets the server do it when one runs; otherwise does it here, as the only one who writes to the log. */
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

/** Does something with the log, to read only. */
export async function withLog<T>(cli: Cli, work: (log: EventLog) => Promise<T>): Promise<T> {
  const log = await openReadOnlyLog(cli);
  try {
    await assertKnownToken(log);
    return await work(log);
  } finally {
    await log.close();
  }
}

/** Does something as the only one who writes to the log. */
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

/** The token that was given, or the workspace's own. */
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
