import { existsSync } from 'node:fs';
import { withImportMarks } from '../../formats/import/import-marks.ts';
import { credentialOf, unknownCredential } from '../../log/credential.ts';
import type { EventLog } from '../../log/event-log.ts';
import { makeDirectory } from '../../workspace/directory.ts';
import { type FileLock, waitForLock } from '../../workspace/lock.ts';
import { restrictToOwner } from '../../workspace/permissions.ts';
import {
  findRunningServer,
  type RunningServer,
  readServerFile,
  removeServerFile,
} from '../../workspace/server-file.ts';
import type { WorkspaceSettings } from '../../workspace/settings/settings.ts';
import type { Cli } from '../cli.ts';
import { EXIT, Failure } from '../failure.ts';

const WAIT_MS = 5_000;

/** A workspace whose log has no other writer until it is closed (L9). */
export interface OwnedWorkspace {
  readonly log: EventLog;
  readonly settings: WorkspaceSettings;
  close(): Promise<void>;
}

/** Opens the workspace as its only writer. Fails with `serverFailure` if a server already is the writer. */
export async function ownWorkspace(
  cli: Cli,
  serverFailure: (server: RunningServer) => Failure = serverRunningFailure,
): Promise<OwnedWorkspace> {
  return openWithLock(cli, await lockWorkspace(cli, serverFailure));
}

/** Takes the lock on the workspace's files without opening them. */
export async function lockWorkspace(
  cli: Cli,
  serverFailure: typeof serverRunningFailure = serverRunningFailure,
): Promise<FileLock> {
  const lock = cli.database === undefined ? await lockOrServer(cli) : noLock(cli);
  if ('url' in lock) throw serverFailure(lock);
  return lock;
}

/** The workspace's server, if one runs; otherwise the workspace itself, opened by this process. */
export async function serverOrWorkspace(cli: Cli): Promise<OwnedWorkspace | RunningServer> {
  const lock = cli.database === undefined ? await lockOrServer(cli) : ((await findServer(cli)) ?? noLock(cli));
  return 'url' in lock ? lock : openWithLock(cli, lock);
}

/** Opens the log read-only, which needs no lock. The first use of a workspace creates it (C1). */
export async function openReadOnlyLog(cli: Cli): Promise<EventLog> {
  const { directory, database } = cli;
  if (database === undefined && !existsSync(directory.database)) await (await ownWorkspace(cli)).close();
  return withImportMarks(await cli.host.openLog(logLocationOf(cli), { readOnly: true }));
}

/** Rejects a HEDDLE_TOKEN that the log does not know, as a server would (C3). */
export async function assertKnownToken(log: EventLog): Promise<void> {
  const token = process.env.HEDDLE_TOKEN;
  if (!token || (await credentialOf(log, token, new Date().toISOString()))) return;
  const { code, message } = unknownCredential().refusal;
  throw new Failure(code, message, EXIT.refused);
}

/** The log's name in server.json. It never contains a password (L17). */
export function logName({ database }: Cli): string {
  if (database === undefined) return 'heddle.db';
  if (!URL.canParse(database)) return 'PostgreSQL';
  const { host, pathname, searchParams } = new URL(database);
  return `postgres://${host}${pathname}?schema=${searchParams.get('schema') ?? 'heddle'}`;
}

export function findServer(cli: Cli): Promise<RunningServer | undefined> {
  return findRunningServer(cli.directory.server, logName(cli));
}

export function logLocationOf({ directory, database }: Cli) {
  return { file: directory.database, url: database };
}

async function openWithLock(cli: Cli, lock: FileLock): Promise<OwnedWorkspace> {
  const { directory } = cli;
  try {
    const { readSettings, writeDefaultSettings: writeFirstSettings } = await import(
      '../../workspace/settings/settings.ts'
    );
    const settings = readSettings(directory.settings);
    restrictToOwner(directory);
    const log = await cli.host.openLog(logLocationOf(cli), { synchronous: settings.synchronous, isOwner: true });
    writeFirstSettings(directory.settings);
    const close = async () => {
      await log.close();
      lock.release();
    };
    return { log, settings, close };
  } catch (error) {
    lock.release();
    throw error;
  }
}

async function lockOrServer(cli: Cli): Promise<FileLock | RunningServer> {
  const { directory } = cli;
  makeDirectory(directory);
  const lockOrRunning = await waitForLock(directory.lock, WAIT_MS, () => findServer(cli));
  if (lockOrRunning === undefined) throw busyFailure(cli);
  // Holding the lock proves that no server is running, so any server file is left over from a dead one.
  if (!('url' in lockOrRunning)) removeServerFile(directory.server, undefined);
  return lockOrRunning;
}

/** Any number of processes may share a PostgreSQL database, because its transactions isolate them. */
function noLock({ directory }: Cli): FileLock {
  makeDirectory(directory);
  return { release: () => {} };
}

function serverRunningFailure({ page, pid }: RunningServer): Failure {
  return new Failure(
    'server_running',
    `A server is using this workspace (${page}, process ${pid}). Stop it with Ctrl-C in its terminal, then run this command again.`,
  );
}

function busyFailure({ directory }: Cli): Failure {
  const server = readServerFile(directory.server);
  if (!server) {
    return new Failure(
      'busy',
      'Another command has been using this workspace for 5 seconds. Try again when it is done.',
    );
  }
  const { page, pid } = server;
  return new Failure(
    'busy',
    `A server (${page}, process ${pid}) is using this workspace but does not answer. Nothing was changed. Try again. If that does not help, end it and start another: kill -9 ${pid} (recorded data is kept).`,
  );
}
