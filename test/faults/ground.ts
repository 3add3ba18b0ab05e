import { randomInt } from 'node:crypto';
import { copyFileSync, linkSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as later } from 'node:timers/promises';
import { HeddleRefusal, HeddleUnreachable } from '../../src/client/index.ts';
import { openSqliteLog } from '../../src/log/sqlite/sqlite-log.ts';
import { seeded } from '../support/random.ts';
import { type Fault, must } from './fault.ts';
import { type Server, type Workspace, withWorkspace } from './server.ts';
import { checkWritten, makeWriters, type Writer } from './writers.ts';

const CLIENTS = 8;
const WAYS = ['moved', 'deleted', 'replaced', '-wal', '-shm'] as const;

/** The database is taken away under a server that clients write to, in every way, and brought back. */
export const ground: Fault = {
  name: 'ground',
  rules: '[L26]',
  slice: WAYS.length,
  full: 200,
  async run(rounds, say) {
    const seed = randomInt(2 ** 31);
    say(`seed ${seed}`);
    try {
      return await withWorkspace((workspace) => takeAwayAgainAndAgain(workspace, rounds, seed, say));
    } catch (error) {
      throw new Error(`seed ${seed}: ${(error as Error).message}`, { cause: error });
    }
  },
};

async function takeAwayAgainAndAgain(workspace: Workspace, rounds: number, seed: number, say: (text: string) => void) {
  const random = seeded(seed);
  const { path, database } = workspace;
  const [kept, strange] = [join(path, 'kept'), join(path, 'strange')];
  let server = await workspace.serve();
  const writers = await makeWriters(server, CLIENTS);
  const refused = new Map(writers.map(({ name }) => [name, 0]));
  let current = Promise.resolve(server);
  let isOver = false;
  const acknowledged = () => writers.reduce((sum, writer) => sum + writer.acknowledged.length, 0);

  async function keepWriting(writer: Writer) {
    while (!isOver) {
      const number = writer.acknowledged.length;
      for (;;) {
        const at = await current;
        const hash = await post(at, writer, number).catch((error: unknown) => {
          if (error instanceof HeddleUnreachable && at.killed) return undefined;
          if (!(error instanceof HeddleRefusal) || error.code !== 'store_unavailable') throw error;
          must(error.status === 503 && /database.*Put the same file back.*\.$/.test(error.message), String(error));
          refused.set(writer.name, (refused.get(writer.name) as number) + 1);
          return later(5, undefined);
        });
        if (hash === undefined) continue;
        writer.acknowledged.push(hash);
        break;
      }
    }
  }

  /** Resolves when the writers have come so far; they may also fail. */
  async function until(isSo: () => boolean) {
    while (!isSo()) await Promise.race([later(5), failed]);
  }

  async function untilAllRefused() {
    const before = new Map(refused);
    // Answers that were on their way, one to each writer, may still come.
    const most = acknowledged() + CLIENTS;
    const all = (times: number) => () => {
      must(acknowledged() <= most, 'messages were acknowledged while the database was away');
      return writers.every(({ name }) => (refused.get(name) as number) >= (before.get(name) as number) + times);
    };
    await until(all(2));
    const reached = acknowledged();
    await until(all(5));
    must(acknowledged() === reached, 'a message was acknowledged while the database was away');
    const state = await server
      .client()
      .threads.list()
      .catch((error: unknown) => error);
    must(state instanceof HeddleRefusal && state.status === 503, 'the list of threads was read from a lost database');
  }

  async function restart(prepare: () => void) {
    const next = Promise.withResolvers<Server>();
    current = next.promise;
    await server.kill();
    prepare();
    server = await workspace.serve();
    next.resolve(server);
  }

  /** The file as it was, without the journal: what was acknowledged must be in it. */
  function bringBack() {
    for (const end of ['-wal', '-shm']) rmSync(database + end, { force: true });
    renameSync(kept, database);
  }

  async function round(way: (typeof WAYS)[number]) {
    const begun = acknowledged();
    await until(() => acknowledged() > begun + 20 + random.below(200));
    if (way === '-wal' || way === '-shm') {
      rmSync(database + way);
      const reached = acknowledged();
      await until(() => acknowledged() > reached + 20);
      return restart(() => {});
    }
    linkSync(database, kept);
    if (way === 'replaced') {
      copyFileSync(strange, `${strange}.copy`);
      renameSync(`${strange}.copy`, database);
    } else rmSync(database);
    await untilAllRefused();
    if (way === 'moved') renameSync(kept, database);
    else await restart(bringBack);
  }

  await openSqliteLog(strange).close();
  const failing = Promise.withResolvers<never>();
  const failed = failing.promise;
  const writing = Promise.all(writers.map((writer) => keepWriting(writer).catch(failing.reject)));
  for (let i = 0; i < rounds; i++) {
    await round(WAYS[i % WAYS.length] as (typeof WAYS)[number]);
    if ((i + 1) % 25 === 0) say(`round ${i + 1}: ${acknowledged()} messages`);
  }
  isOver = true;
  await Promise.race([writing, failed]);
  await server.kill();
  const events = await check(workspace, writers);
  const times = [...refused.values()].reduce((sum, count) => sum + count, 0);
  return `${rounds} times taken away: ${times} times 503 with a sentence, nothing acknowledged meanwhile; ${acknowledged()} messages, ${events} events: none lost, none doubled, chains whole (seed ${seed})`;
}

async function post(server: Server, { token, thread }: Writer, number: number): Promise<string> {
  const message = { type: 'message', content: `message ${number}` } as const;
  return (
    await server
      .client(token)
      .thread(thread)
      .post(message, { id: `key-${number}` })
  ).event.hash;
}

async function check(workspace: Workspace, writers: readonly Writer[]): Promise<number> {
  const log = openSqliteLog(workspace.database, { readOnly: true });
  try {
    return await checkWritten(log, writers, 0);
  } finally {
    await log.close();
  }
}
