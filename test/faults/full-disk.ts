import { spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { rmSync, statfsSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HeddleRefusal } from '../../src/client/index.ts';
import { verifyLog } from '../../src/formats/verify/verify.ts';
import { eventOf } from '../../src/log/event-log.ts';
import { openSqliteLog } from '../../src/log/sqlite/sqlite-log.ts';
import { seeded } from '../support/random.ts';
import { type Fault, must } from './fault.ts';
import { type Server, type Workspace, workIn } from './server.ts';

const POSTERS = 4;

/** The server's disk fills up and is freed again, over and over, without a restart. */
export const fullDisk: Fault = {
  name: 'full-disk',
  rules: '[L16]',
  slice: 3,
  full: 30,
  async run(rounds, say) {
    const seed = randomInt(2 ** 31);
    say(`seed ${seed}`);
    const path = await mkdtemp(join(tmpdir(), 'heddle-full-'));
    const unmount = () => void spawnSync('umount', [path]);
    try {
      // Each round leaves a few megabytes behind: what still fits into the files that are there.
      const size = `size=${32 + rounds * 5}m`;
      const { status, stderr, error } = spawnSync('mount', ['-t', 'tmpfs', '-o', size, 'heddle', path]);
      if (status !== 0) return `skipped: a disk of its own cannot be mounted (${String(error ?? stderr).trim()})`;
      process.on('exit', unmount);
      await startWithLittleRoom(path);
      return await workIn(path, (workspace) => fillAgainAndAgain(workspace, rounds, seed, say));
    } catch (error) {
      throw new Error(`seed ${seed}: ${(error as Error).message}`, { cause: error });
    } finally {
      unmount();
      process.off('exit', unmount);
      await rm(path, { recursive: true, force: true });
    }
  },
};

/** From no room at all to what a new workspace just fits into. */
const ROOM_KB = [0, 40, 80, 100, 110, 120, 130, 140];

/** A server that cannot start for want of room says so in a sentence. */
async function startWithLittleRoom(path: string) {
  const ballast = join(path, 'ballast');
  for (const room of ROOM_KB) {
    const { bavail, bsize } = statfsSync(path);
    writeFileSync(ballast, Buffer.alloc(bavail * bsize - room * 1024));
    const place = join(path, 'young');
    const failure = await workIn(place, ({ serve }) => serve().then(() => '', String));
    const isClear = /ended \(1\) and said: .*"code":"no_space".*full/.test(failure) && !/ {4}at /.test(failure);
    must(failure === '' || isClear, `with ${room} KB left a server started with: ${failure}`);
    rmSync(place, { recursive: true, force: true });
    rmSync(ballast);
  }
}

/** What was acknowledged: the hash of each message, by its text's first word. */
type Acknowledged = Map<string, string>;

async function fillAgainAndAgain(workspace: Workspace, rounds: number, seed: number, say: (text: string) => void) {
  const random = seeded(seed);
  const server = await workspace.serve();
  const { thread } = await server.client().threads.create({ title: 'Full' });
  const acknowledged: Acknowledged = new Map();
  const ballast = join(workspace.path, 'ballast');
  let refusals = 0;
  for (let round = 1; round <= rounds; round++) {
    const { bavail, bsize } = statfsSync(workspace.path);
    writeFileSync(ballast, Buffer.alloc(Math.max(0, bavail * bsize - 16 * 1024 - random.below(512 * 1024))));
    const name = (poster: number, number: number) => `${round}.${poster}.${number}`;
    const posting = Array.from({ length: POSTERS }, (_, poster) =>
      postUntilFull(server, thread.id, acknowledged, (number) => name(poster, number)),
    );
    const refused = await Promise.all(posting);
    refusals += refused.length;
    await mustRead(server, thread.id, acknowledged);

    rmSync(ballast);
    // The very same wishes, under the same keys, are now granted.
    for (const { key, content } of refused) acknowledged.set(key, await post(server, thread.id, key, content));
    if (round % 10 === 0) say(`round ${round}: ${acknowledged.size} messages`);
  }
  await server.kill();
  const events = await check(workspace, acknowledged);
  return `${rounds} times full: ${refusals} times 507 with a sentence, reading went on, writing resumed by itself; ${events} events, all ${acknowledged.size} acknowledged messages once, chain whole (seed ${seed})`;
}

interface Message {
  readonly key: string;
  readonly content: string;
}

/** Large messages, then ever smaller ones, until not even the smallest fits. Returns that one. */
async function postUntilFull(
  server: Server,
  thread: string,
  acknowledged: Acknowledged,
  name: (number: number) => string,
): Promise<Message> {
  let size = 200_000;
  for (let number = 0; ; number++) {
    const key = name(number);
    const content = `${key} ${'x'.repeat(size)}`;
    try {
      acknowledged.set(key, await post(server, thread, key, content));
    } catch (error) {
      must(error instanceof HeddleRefusal, `the server fell over: ${error}`);
      const isClear = error.status === 507 && error.code === 'no_space' && /full.*\.$/.test(error.message);
      must(isClear, `a full disk was answered ${error.status} ${error.code}: ${error.message}`);
      if (size < 10) return { key, content };
      size = Math.floor(size / 10);
    }
  }
}

async function post(server: Server, thread: string, key: string, content: string): Promise<string> {
  const { event } = await server.client().thread(thread).post({ type: 'message', content }, { id: key });
  return event.hash;
}

async function mustRead(server: Server, thread: string, acknowledged: Acknowledged) {
  const client = server.client();
  const { threads } = await client.threads.list();
  must(threads.length === 1, 'the list of threads cannot be read');
  const { events } = await client.thread(thread).events({ before: 'head', limit: POSTERS });
  for (const { content, hash } of events) {
    const key = String(content).split(' ')[0] as string;
    must(acknowledged.get(key) === hash || !acknowledged.has(key), `message ${key} is not what was acknowledged`);
  }
  for await (const { event } of client.stream({ after: undefined, signal: AbortSignal.timeout(60_000) })) {
    if (event) return;
  }
  must(false, 'a stream could not be read');
}

async function check({ database }: Workspace, acknowledged: Acknowledged): Promise<number> {
  const log = openSqliteLog(database, { readOnly: true });
  try {
    const { broken, events } = await verifyLog(log, undefined);
    must(!broken, `the chain is broken: ${JSON.stringify(broken)}`);
    const stored = new Map<string, string>();
    for (let position = 0; position < events; ) {
      for (const row of await log.readAll(position, 100)) {
        position = row.position;
        const { type, content } = eventOf(row);
        if (type !== 'message') continue;
        const key = String(content).split(' ')[0] as string;
        must(!stored.has(key), `message ${key} is there twice`);
        stored.set(key, row.hash);
      }
    }
    for (const [key, hash] of acknowledged) must(stored.get(key) === hash, `message ${key} is lost`);
    must(stored.size === acknowledged.size, `${stored.size} messages instead of ${acknowledged.size}`);
    return events;
  } finally {
    await log.close();
  }
}
