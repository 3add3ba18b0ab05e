import { accessSync, constants, existsSync, statfsSync, statSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { createClient } from '../../client/index.ts';
import { describeFailure } from '../../formats/verify/chain.ts';
import { verifyNewest } from '../../formats/verify/verify-newest.ts';
import { credentialOf } from '../../log/credential.ts';
import type { EventLog } from '../../log/event-log.ts';
import { RESTORE_IN_PROGRESS } from '../../log/record-kinds.ts';
import { readLineFile } from '../../workspace/line-file.ts';
import { waitForLock } from '../../workspace/lock.ts';
import { filesReadableByOthers } from '../../workspace/permissions.ts';
import { isAlive, type RunningServer, readServerFile } from '../../workspace/server-file.ts';
import type { Cli } from '../cli.ts';
import { canOpenBrowser } from '../connect/browser.ts';
import { findServer, logLocationOf, openReadOnlyLog } from '../connect/workspace.ts';
import { errorReportOf } from '../failure.ts';

export interface DoctorFinding {
  readonly name: string;
  readonly status: 'ok' | 'warn' | 'fail';
  readonly message: string;
  readonly todo?: string | undefined;
}

type DoctorResult = Omit<DoctorFinding, 'name'>;
type DoctorResults = DoctorResult | readonly DoctorResult[];
type DoctorCheck = (cli: Cli) => DoctorResults | Promise<DoctorResults>;

const SAMPLE_LINKS = 1000;
const ENOUGH_BYTES = 1024 ** 3;
const CRITICAL_BYTES = 100 * 1024 ** 2;
const MIN_NODE_VERSION = 24;

/** The checks of "heddle doctor", in order (I19). */
const checks: readonly (readonly [string, DoctorCheck])[] = [
  ['program', checkProgram],
  ['workspace', checkDirectory],
  ['files', checkFiles],
  ['settings', checkSettings],
  ['store', checkStore],
  ['log', checkChain],
  ['token', checkToken],
  ['token', checkEnvToken],
  ['server', checkServer],
  ['disk', checkDisk],
  ['agents', checkAgents],
  ['browser', checkBrowser],
];

/** Checks one thing after the other. */
export async function* examine(cli: Cli): AsyncGenerator<DoctorFinding> {
  for (const [name, check] of checks) for (const result of [await check(cli)].flat()) yield { name, ...result };
}

function checkProgram({ host }: Cli): DoctorResult {
  const node = process.versions.node;
  if (Number.parseInt(node, 10) >= MIN_NODE_VERSION) return ok(`Heddle ${host.version} on Node ${node}`);
  return fail(`Node ${node} is too old`, `Install Node ${MIN_NODE_VERSION} or newer.`);
}

function checkDirectory({ directory: { path } }: Cli): DoctorResult {
  if (!existsSync(path))
    return warn(`${path} does not exist yet`, 'The first command creates it, for example "heddle serve".');
  try {
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch {
    return fail(`${path} is not readable and writable for you`, `Change its owner or permissions: chmod u+rwx ${path}`);
  }
  if (isOpenToOthers(path)) return warn(`${path} is readable for other users of this machine`, `chmod 700 ${path}`);
  return ok(path);
}

function checkFiles({ directory }: Cli): DoctorResults {
  // The token has a check of its own.
  const openFiles = filesReadableByOthers(directory).filter((file) => file !== directory.token);
  if (openFiles.length === 0) return [];
  const names = openFiles.map((file) => basename(file)).join(', ');
  return warn(
    `other users of this machine can read ${names}`,
    `Start Heddle as the owner of the files, which fixes it, or run: chmod 600 ${openFiles.join(' ')}`,
  );
}

async function checkSettings({ directory: { settings: path } }: Cli): Promise<DoctorResult> {
  try {
    const { readSettings } = await import('../../workspace/settings/settings.ts');
    const { synchronous, person } = readSettings(path);
    if (synchronous !== 'FULL')
      return warn(
        'synchronous: NORMAL is weaker: a power cut can lose the last acknowledged events',
        `Set "synchronous: FULL" in ${path}, unless you chose this.`,
      );
    if (!existsSync(path)) return ok('there is no heddle.yaml: defaults apply');
    return ok(`heddle.yaml can be read; you are "${person.id}"`);
  } catch (error) {
    return fail(errorReportOf(error).message);
  }
}

async function checkStore(cli: Cli): Promise<DoctorResults> {
  if (!hasLog(cli)) return ok('no database yet');
  try {
    const { store, version, current, damage, weaknesses } = await cli.host.checkLog(logLocationOf(cli));
    if (damage.length > 0)
      return fail(
        `${store} found damage: ${damage.join('; ')}`,
        'Stop the server, keep a copy of the file, and restore a backup into a new workspace with "heddle restore".',
      );
    const upgrade = version < current ? ` (upgraded to ${current} at the next start)` : '';
    const state = cli.database === undefined ? 'whole' : 'answers';
    return [
      ok(`${store}, version ${version}${upgrade}, ${state}`),
      ...weaknesses.map((what) => warn(what, 'Change that in the database, unless you chose it.')),
    ];
  } catch (error) {
    return fail(errorReportOf(error).message);
  }
}

function checkChain(cli: Cli): Promise<DoctorResults> {
  return withReadableLog(cli, async (log) => {
    if (await log.record(RESTORE_IN_PROGRESS, 'head'))
      return fail('a restore was started here and not finished', 'Run the same "heddle restore FILE" again.');
    const { links, broken } = await verifyNewest(log, SAMPLE_LINKS);
    if (broken) return fail(describeFailure(broken), 'Run "heddle verify" to check everything, and restore a backup.');
    return ok(`${await log.head()} events; the newest ${links} links hold ("heddle verify" checks all)`);
  });
}

function checkToken({ directory: { token: path } }: Cli): DoctorResult {
  if (!existsSync(path)) return ok('none yet; created on first use');
  try {
    if (readLineFile(path) === undefined)
      return fail(`${path} is empty`, 'Remove it: the next start writes a new one.');
  } catch (error) {
    return fail(errorReportOf(error).message);
  }
  if (!isOpenToOthers(path)) return ok('readable only for you');
  return fail(
    `${path} is readable for other users of this machine`,
    `chmod 600 ${path}, then revoke it with "heddle token --list" and "--revoke".`,
  );
}

/** The token that every other command would use instead of the workspace's own. */
async function checkEnvToken(cli: Cli): Promise<DoctorResults> {
  const { HEDDLE_TOKEN: envToken } = process.env;
  if (!envToken) return [];
  return withReadableLog(cli, async (log) => {
    const credential = await credentialOf(log, envToken, new Date().toISOString());
    if (credential) return ok(`HEDDLE_TOKEN is set: commands act as ${credential.participant}`);
    return fail(
      'the token in HEDDLE_TOKEN is invalid: it belongs to another workspace, was revoked or has expired',
      'To act as yourself: unset HEDDLE_TOKEN. Then, for another token: heddle token --participant ID',
    );
  });
}

/** Checks the log, if there is one that can be opened: the check of the store says why it cannot. */
async function withReadableLog(cli: Cli, check: (log: EventLog) => Promise<DoctorResult>): Promise<DoctorResults> {
  if (!hasLog(cli)) return [];
  try {
    const log = await openReadOnlyLog(cli);
    return await check(log).finally(log.close);
  } catch {
    return [];
  }
}

async function checkServer(cli: Cli): Promise<DoctorResult> {
  const file = readServerFile(cli.directory.server);
  const running = await findServer(cli);
  if (!running) {
    if (!file) return ok('not running');
    if (await isWorkspaceHeld(cli, file))
      return fail(
        `is using this workspace but does not answer (${file.page}, process ${file.pid})`,
        `End it and start another: kill -9 ${file.pid} (recorded data is kept).`,
      );
    return warn(
      `not running; it was killed (${file.page}, process ${file.pid})`,
      'Nothing was lost. Start it again when you like.',
    );
  }
  try {
    const { me } = await createClient({ url: running.url, token: readLineFile(cli.directory.token) ?? '' }).me();
    return ok(`runs at ${running.page} (process ${running.pid}) and knows you as ${me.participant}`);
  } catch (error) {
    return fail(
      `runs at ${running.page}, but answers: ${errorReportOf(error).message}`,
      'Restart it: it writes a new token.',
    );
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

function checkDisk({ directory: { path } }: Cli): DoctorResult {
  const { bavail, bsize } = statfsSync(nearestExisting(path));
  const free = bavail * bsize;
  if (free >= ENOUGH_BYTES) return ok(`${(free / 1024 ** 3).toFixed(1)} GiB free`);
  const freeSpace = `${(free / 1024 ** 2).toFixed(1)} MiB free`;
  if (free >= CRITICAL_BYTES) return warn(freeSpace, 'Free some space before it runs out.');
  return fail(freeSpace, 'Free some space: soon Heddle cannot store anything. Reading still works.');
}

/** Reports what agent programs can see. Missing isolation is a warning only if there are any clients. */
async function checkAgents({ directory: { settings: path }, host }: Cli): Promise<DoctorResults> {
  const { readSettings } = await import('../../workspace/settings/settings.ts');
  let settings: ReturnType<typeof readSettings>;
  try {
    settings = readSettings(path);
  } catch {
    // The settings check already reported the reason.
    return [];
  }
  const { kind, sentence, reason = '', todo } = await host.sandboxFor(settings.sandbox);
  if (kind === 'bwrap') return ok(`${sentence} Programs run with bubblewrap.`);
  const message = `${sentence} ${reason}`;
  if (kind === 'refused') return fail(message, todo ?? 'Set "sandbox: auto" in heddle.yaml.');
  if (Object.keys(settings.clients).length === 0) return ok(message);
  return warn(message, todo ?? 'Run only programs that you trust with everything you can read.');
}

function checkBrowser(): DoctorResult {
  if (canOpenBrowser()) return ok('Heddle can open the page');
  return ok('Heddle cannot open one; "heddle serve" prints a link that you can open elsewhere');
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

function ok(message: string): DoctorResult {
  return { status: 'ok', message };
}

function warn(message: string, todo: string): DoctorResult {
  return { status: 'warn', message, todo };
}

function fail(message: string, todo?: string): DoctorResult {
  return { status: 'fail', message, todo };
}
