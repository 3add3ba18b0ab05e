import { accessSync, constants, existsSync, statfsSync, statSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { createClient } from '../../client/index.ts';
import { describeFailure } from '../../formats/verify/chain.ts';
import { verifyNewest } from '../../formats/verify/verify-newest.ts';
import { credentialOf } from '../../log/credential.ts';
import { RESTORE_IN_PROGRESS } from '../../log/record-kinds.ts';
import { readLineFile } from '../../workspace/line-file.ts';
import { waitForLock } from '../../workspace/lock.ts';
import { filesReadableByOthers } from '../../workspace/permissions.ts';
import { isAlive, type RunningServer, readServerFile } from '../../workspace/server-file.ts';
import type { Cli } from '../cli.ts';
import { canOpenBrowser } from '../connect/browser.ts';
import { findServer, openReadOnlyLog } from '../connect/workspace.ts';
import { errorReportOf } from '../failure.ts';

export interface DoctorFinding {
  readonly name: string;
  readonly status: 'ok' | 'warn' | 'fail';
  readonly message: string;
  readonly todo?: string;
}

type DoctorCheck = (cli: Cli) => DoctorFinding[] | Promise<DoctorFinding[]>;

const SAMPLE_LINKS = 1000;
const ENOUGH_BYTES = 1024 ** 3;
const CRITICAL_BYTES = 100 * 1024 ** 2;
const MIN_NODE_VERSION = 24;

/** The checks of "heddle doctor", in order (I19). */
export const checks: readonly DoctorCheck[] = [
  checkProgram,
  checkDirectory,
  checkFiles,
  checkSettings,
  checkStore,
  checkChain,
  checkToken,
  checkEnvToken,
  checkServer,
  checkDisk,
  checkAgents,
  checkBrowser,
];

function checkProgram({ host }: Cli): DoctorFinding[] {
  const node = process.versions.node;
  if (Number.parseInt(node, 10) >= MIN_NODE_VERSION) return [ok('program', `Heddle ${host.version} on Node ${node}`)];
  return [fail('program', `Node ${node} is too old`, `Install Node ${MIN_NODE_VERSION} or newer.`)];
}

function checkDirectory({ directory: { path } }: Cli): DoctorFinding[] {
  if (!existsSync(path))
    return [warn('workspace', `${path} is not there yet`, 'The first command makes it, such as "heddle serve".')];
  try {
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch {
    return [
      fail(
        'workspace',
        `${path} cannot be read or written by you`,
        `Change its owner or permissions: chmod u+rwx ${path}`,
      ),
    ];
  }
  if (isOpenToOthers(path)) {
    return [warn('workspace', `${path} can be read by other users of this machine`, `chmod 700 ${path}`)];
  }
  return [ok('workspace', path)];
}

function checkFiles({ directory }: Cli): DoctorFinding[] {
  // The token has a check of its own.
  const openFiles = filesReadableByOthers(directory).filter((file) => file !== directory.token);
  if (openFiles.length === 0) return [];
  const names = openFiles.map((file) => basename(file)).join(', ');
  return [
    warn(
      'files',
      `other users of this machine may read ${names}`,
      `Starting Heddle as the owner of the files mends it, or: chmod 600 ${openFiles.join(' ')}`,
    ),
  ];
}

async function checkSettings({ directory: { settings: path } }: Cli): Promise<DoctorFinding[]> {
  try {
    const { readSettings } = await import('../../workspace/settings/settings.ts');
    const { synchronous, person } = readSettings(path);
    if (synchronous === 'FULL')
      return [
        ok(
          'settings',
          existsSync(path)
            ? `heddle.yaml can be read; you are "${person.id}"`
            : 'there is no heddle.yaml, so everything is as it comes',
        ),
      ];
    return [
      warn(
        'settings',
        'synchronous: NORMAL is weaker: a power cut may take the last acknowledged events',
        `Set "synchronous: FULL" in ${path}, unless you chose this.`,
      ),
    ];
  } catch (error) {
    return [fail('settings', errorReportOf(error).message)];
  }
}

async function checkStore(cli: Cli): Promise<DoctorFinding[]> {
  if (!hasLog(cli)) return [ok('store', 'no database yet')];
  try {
    const {
      store: name,
      version,
      current,
      damage,
      weaknesses,
    } = await cli.host.checkLog({ file: cli.directory.database, url: cli.database });
    if (damage.length > 0) {
      return [
        fail(
          'store',
          `${name} found damage: ${damage.join('; ')}`,
          'Stop the server, keep a copy of the file, and restore a backup into a new workspace with "heddle restore".',
        ),
      ];
    }
    const age =
      version < current ? `, version ${version} (brought up to ${current} at the next start)` : `, version ${version}`;
    const storeWarnings = weaknesses.map((what) =>
      warn('store', what, 'Change that in the database, unless you chose it.'),
    );
    return [ok('store', `${name}${age}, ${cli.database === undefined ? 'whole' : 'answers'}`), ...storeWarnings];
  } catch (error) {
    return [fail('store', errorReportOf(error).message)];
  }
}

async function checkChain(cli: Cli): Promise<DoctorFinding[]> {
  if (!hasLog(cli)) return [];
  try {
    const log = await openReadOnlyLog(cli);
    try {
      const restoreRecord = await log.record(RESTORE_IN_PROGRESS, 'head');
      if (restoreRecord)
        return [fail('log', 'A restore was begun here and not finished', 'Run the same "heddle restore FILE" again.')];
      const { links, broken } = await verifyNewest(log, SAMPLE_LINKS);
      if (broken)
        return [fail('log', describeFailure(broken), 'Run "heddle verify" for the whole of it, and restore a backup.')];
      return [ok('log', `${await log.head()} events; the newest ${links} links hold ("heddle verify" proves all)`)];
    } finally {
      await log.close();
    }
  } catch {
    // The store check already reported the reason.
    return [];
  }
}

function checkToken({ directory: { token: path } }: Cli): DoctorFinding[] {
  if (!existsSync(path)) return [ok('token', 'none yet; it is made on first use')];
  try {
    if (readLineFile(path) === undefined)
      return [fail('token', `${path} is empty`, 'Remove it: the next start writes a new one.')];
  } catch (error) {
    return [fail('token', errorReportOf(error).message)];
  }
  if (isOpenToOthers(path))
    return [
      fail(
        'token',
        `${path} can be read by other users of this machine`,
        `chmod 600 ${path}, then revoke it with "heddle token --list" and "--revoke".`,
      ),
    ];
  return [ok('token', 'yours alone')];
}

/** The token that every other command would use instead of the workspace's own. */
async function checkEnvToken(cli: Cli): Promise<DoctorFinding[]> {
  const { HEDDLE_TOKEN: envToken } = process.env;
  if (!envToken || !hasLog(cli)) return [];
  try {
    const log = await openReadOnlyLog(cli);
    try {
      const credential = await credentialOf(log, envToken, new Date().toISOString());
      if (credential) return [ok('token', `HEDDLE_TOKEN is set: commands act as ${credential.participant}`)];
    } finally {
      await log.close();
    }
  } catch {
    // The store check already reported the reason.
    return [];
  }
  return [
    fail(
      'token',
      'the token in HEDDLE_TOKEN is refused: this workspace does not know it, or it was revoked or has expired',
      'To act as yourself: unset HEDDLE_TOKEN. For another token, after that: heddle token --participant ID',
    ),
  ];
}

async function checkServer(cli: Cli): Promise<DoctorFinding[]> {
  const file = readServerFile(cli.directory.server);
  const running = await findServer(cli);
  if (!running) {
    if (!file) return [ok('server', 'not running')];
    if (await isWorkspaceHeld(cli, file)) {
      return [
        fail(
          'server',
          `uses this workspace and does not answer (${file.page}, process ${file.pid})`,
          `End it and start another: kill -9 ${file.pid} (what is recorded stays).`,
        ),
      ];
    }
    return [
      warn(
        'server',
        `not running, though it was at ${file.page} (process ${file.pid})`,
        'It did not stop in order, which loses nothing. Start it again when you like.',
      ),
    ];
  }
  try {
    const { me } = await createClient({ url: running.url, token: readLineFile(cli.directory.token) ?? '' }).me();
    return [ok('server', `runs at ${running.page} (process ${running.pid}) and knows you as ${me.participant}`)];
  } catch (error) {
    return [
      fail(
        'server',
        `runs at ${running.page}, and says: ${errorReportOf(error).message}`,
        'Start it again: it writes a token that it knows.',
      ),
    ];
  }
}

/** Whether the process that wrote the server file is still alive, even if it does not answer. */
async function isWorkspaceHeld({ directory, database }: Cli, { pid }: RunningServer): Promise<boolean> {
  // Any number of servers may share a database, without a lock.
  if (database !== undefined) return isAlive(pid);
  const lock = await waitForLock(directory.lock, 0, async () => undefined);
  lock?.release();
  return lock === undefined;
}

function checkDisk({ directory: { path } }: Cli): DoctorFinding[] {
  const existingPath = nearestExisting(path);
  const { bavail, bsize } = statfsSync(existingPath);
  const free = bavail * bsize;
  const freeSpace =
    free < ENOUGH_BYTES ? `${(free / 1024 ** 2).toFixed(1)} MiB free` : `${(free / 1024 ** 3).toFixed(1)} GiB free`;
  if (free < CRITICAL_BYTES)
    return [fail('disk', freeSpace, 'Free some space: soon nothing more can be stored. Reading goes on.')];
  return [free < ENOUGH_BYTES ? warn('disk', freeSpace, 'Free some space before it runs out.') : ok('disk', freeSpace)];
}

/** Reports what agent programs can see. Missing isolation is a warning only if there are any clients. */
async function checkAgents({ directory: { settings: path }, host }: Cli): Promise<DoctorFinding[]> {
  const { readSettings } = await import('../../workspace/settings/settings.ts');
  let settings: ReturnType<typeof readSettings>;
  try {
    settings = readSettings(path);
  } catch {
    // The settings check already reported the reason.
    return [];
  }
  const { kind, sentence, reason = '', todo } = await host.sandboxFor(settings.sandbox);
  if (kind === 'bwrap') return [ok('agents', `${sentence} Programs run with bubblewrap.`)];
  const message = `${sentence} ${reason}`;
  if (kind === 'refused') return [fail('agents', message, todo ?? 'Set "sandbox: auto" in heddle.yaml.')];
  if (Object.keys(settings.clients).length === 0) return [ok('agents', message)];
  return [warn('agents', message, todo ?? 'Run only programs that you trust with everything you can read.')];
}

function checkBrowser(): DoctorFinding[] {
  if (canOpenBrowser()) return [ok('browser', 'the page can be opened from here')];
  return [ok('browser', 'none can be opened from here; "heddle serve" prints a link to open elsewhere')];
}

function hasLog({ directory: { database: file }, database }: Cli): boolean {
  return database !== undefined || existsSync(file);
}

function nearestExisting(path: string): string {
  return existsSync(path) ? path : nearestExisting(dirname(path));
}

function isOpenToOthers(path: string): boolean {
  return process.platform !== 'win32' && (statSync(path).mode & 0o077) !== 0;
}

function ok(name: string, message: string): DoctorFinding {
  return { name, status: 'ok', message };
}

function warn(name: string, message: string, todo: string): DoctorFinding {
  return { name, status: 'warn', message, todo };
}

function fail(name: string, message: string, todo?: string): DoctorFinding {
  return { name, status: 'fail', message, ...(todo && { todo }) };
}
