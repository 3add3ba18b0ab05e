import { accessSync, constants, existsSync, statfsSync, statSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { createClient } from '../../client/index.ts';
import { sentenceOf } from '../../formats/verify/chain.ts';
import { verifyNewest } from '../../formats/verify/verify-newest.ts';
import { credentialOf } from '../../log/credential.ts';
import { RESTORING } from '../../log/record-kinds.ts';
import { readToken } from '../../workspace/keys/token.ts';
import { waitForLock } from '../../workspace/lock.ts';
import { filesOpenToOthers } from '../../workspace/permissions.ts';
import { isAlive, type RunningServer, readServerFile } from '../../workspace/server-file.ts';
import type { Cli } from '../cli.ts';
import { canOpenBrowser } from '../connect/browser.ts';
import { look, serverOf } from '../connect/workspace.ts';
import { toldOf } from '../failure.ts';

export interface Check {
  readonly name: string;
  readonly status: 'ok' | 'warn' | 'fail';
  readonly message: string;
  readonly todo?: string;
}

type Checking = (cli: Cli) => Check[] | Promise<Check[]>;

const SAMPLE = 1000;
const ENOUGH = 1024 ** 3;
const TOO_LITTLE = 100 * 1024 ** 2;
const OLDEST_NODE = 24;

/** What "heddle doctor" looks at, in this order (I19). */
export const checks: readonly Checking[] = [
  program,
  directory,
  files,
  settings,
  store,
  chain,
  token,
  givenToken,
  server,
  disk,
  agents,
  browser,
];

function program({ host }: Cli): Check[] {
  const node = process.versions.node;
  if (Number.parseInt(node, 10) >= OLDEST_NODE) return [ok('program', `Heddle ${host.version} on Node ${node}`)];
  return [fail('program', `Node ${node} is too old`, `Install Node ${OLDEST_NODE} or newer.`)];
}

function directory({ directory: { path } }: Cli): Check[] {
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

function files({ directory }: Cli): Check[] {
  // The token has a check of its own.
  const open = filesOpenToOthers(directory).filter((file) => file !== directory.token);
  if (open.length === 0) return [];
  const names = open.map((file) => basename(file)).join(', ');
  return [
    warn(
      'files',
      `other users of this machine may read ${names}`,
      `Starting Heddle as the owner of the files mends it, or: chmod 600 ${open.join(' ')}`,
    ),
  ];
}

async function settings({ directory: { settings: path } }: Cli): Promise<Check[]> {
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
    return [fail('settings', toldOf(error).message)];
  }
}

async function store(cli: Cli): Promise<Check[]> {
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
    const weak = weaknesses.map((what) => warn('store', what, 'Change that in the database, unless you chose it.'));
    return [ok('store', `${name}${age}, ${cli.database === undefined ? 'whole' : 'answers'}`), ...weak];
  } catch (error) {
    return [fail('store', toldOf(error).message)];
  }
}

async function chain(cli: Cli): Promise<Check[]> {
  if (!hasLog(cli)) return [];
  try {
    const log = await look(cli);
    try {
      const unfinished = await log.record(RESTORING, 'head');
      if (unfinished)
        return [fail('log', 'A restore was begun here and not finished', 'Run the same "heddle restore FILE" again.')];
      const { links, broken } = await verifyNewest(log, SAMPLE);
      if (broken)
        return [fail('log', sentenceOf(broken), 'Run "heddle verify" for the whole of it, and restore a backup.')];
      return [ok('log', `${await log.head()} events; the newest ${links} links hold ("heddle verify" proves all)`)];
    } finally {
      await log.close();
    }
  } catch {
    // The check of the store has said why.
    return [];
  }
}

function token({ directory: { token: path } }: Cli): Check[] {
  if (!existsSync(path)) return [ok('token', 'none yet; it is made on first use')];
  try {
    if (readToken(path) === undefined)
      return [fail('token', `${path} is empty`, 'Remove it: the next start writes a new one.')];
  } catch (error) {
    return [fail('token', toldOf(error).message)];
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
async function givenToken(cli: Cli): Promise<Check[]> {
  const { HEDDLE_TOKEN: given } = process.env;
  if (!given || !hasLog(cli)) return [];
  try {
    const log = await look(cli);
    try {
      const credential = await credentialOf(log, given, new Date().toISOString());
      if (credential) return [ok('token', `HEDDLE_TOKEN is set: commands act as ${credential.participant}`)];
    } finally {
      await log.close();
    }
  } catch {
    // The check of the store has said why.
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

async function server(cli: Cli): Promise<Check[]> {
  const file = readServerFile(cli.directory.server);
  const running = await serverOf(cli);
  if (!running) {
    if (!file) return [ok('server', 'not running')];
    if (await isHeld(cli, file)) {
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
    const { me } = await createClient({ url: running.url, token: readToken(cli.directory.token) ?? '' }).me();
    return [ok('server', `runs at ${running.page} (process ${running.pid}) and knows you as ${me.participant}`)];
  } catch (error) {
    return [
      fail(
        'server',
        `runs at ${running.page}, and says: ${toldOf(error).message}`,
        'Start it again: it writes a token that it knows.',
      ),
    ];
  }
}

/** The process that wrote the file is still there, answering or not. */
async function isHeld({ directory, database }: Cli, { pid }: RunningServer): Promise<boolean> {
  // Any number of servers may share a database, without a lock.
  if (database !== undefined) return isAlive(pid);
  const lock = await waitForLock(directory.lock, 0, async () => undefined);
  lock?.release();
  return lock === undefined;
}

function disk({ directory: { path } }: Cli): Check[] {
  const place = nearest(path);
  const { bavail, bsize } = statfsSync(place);
  const free = bavail * bsize;
  const said =
    free < ENOUGH ? `${(free / 1024 ** 2).toFixed(1)} MiB free` : `${(free / 1024 ** 3).toFixed(1)} GiB free`;
  if (free < TOO_LITTLE)
    return [fail('disk', said, 'Free some space: soon nothing more can be stored. Reading goes on.')];
  return [free < ENOUGH ? warn('disk', said, 'Free some space before it runs out.') : ok('disk', said)];
}

/** What programs of agents can see, which is the question only where there are any. */
async function agents({ directory: { settings: path }, host }: Cli): Promise<Check[]> {
  const { readSettings } = await import('../../workspace/settings/settings.ts');
  let settings: ReturnType<typeof readSettings>;
  try {
    settings = readSettings(path);
  } catch {
    // The check of the settings has said why.
    return [];
  }
  const { kind, sentence, reason = '', todo } = await host.sandboxFor(settings.sandbox);
  if (kind === 'bwrap') return [ok('agents', `${sentence} Programs run with bubblewrap.`)];
  const said = `${sentence} ${reason}`;
  if (kind === 'refused') return [fail('agents', said, todo ?? 'Set "sandbox: auto" in heddle.yaml.')];
  if (Object.keys(settings.clients).length === 0) return [ok('agents', said)];
  return [warn('agents', said, todo ?? 'Run only programs that you trust with everything you can read.')];
}

function browser(): Check[] {
  if (canOpenBrowser()) return [ok('browser', 'the page can be opened from here')];
  return [ok('browser', 'none can be opened from here; "heddle serve" prints a link to open elsewhere')];
}

function hasLog({ directory: { database: file }, database }: Cli): boolean {
  return database !== undefined || existsSync(file);
}

function nearest(path: string): string {
  return existsSync(path) ? path : nearest(dirname(path));
}

function isOpenToOthers(path: string): boolean {
  return process.platform !== 'win32' && (statSync(path).mode & 0o077) !== 0;
}

function ok(name: string, message: string): Check {
  return { name, status: 'ok', message };
}

function warn(name: string, message: string, todo: string): Check {
  return { name, status: 'warn', message, todo };
}

function fail(name: string, message: string, todo?: string): Check {
  return { name, status: 'fail', message, ...(todo && { todo }) };
}
