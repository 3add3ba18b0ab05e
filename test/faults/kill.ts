import { randomInt } from 'node:crypto';
import { setTimeout as later } from 'node:timers/promises';
import { openSqliteLog } from '../../src/log/sqlite/sqlite-log.ts';
import { seeded } from '../support/random.ts';
import type { Fault } from './fault.ts';
import { type Server, type Workspace, withWorkspace } from './server.ts';
import { checkWritten, keepWriting, makeWriters, type Writer } from './writers.ts';

const CLIENTS = 8;
const CHECK_EVERY = 100;

/** The server is killed again and again while clients append over HTTP, sometimes while it is still starting. */
export const kill: Fault = {
  name: 'kill',
  rules: '[L5] [L7] [L8]',
  slice: 12,
  full: 1000,
  async run(rounds, say) {
    const seed = randomInt(2 ** 31);
    say(`seed ${seed}`);
    try {
      return await withWorkspace((workspace) => killAgainAndAgain(workspace, rounds, seed, say));
    } catch (error) {
      throw new Error(`seed ${seed}: ${(error as Error).message}`, { cause: error });
    }
  },
};

async function killAgainAndAgain(workspace: Workspace, rounds: number, seed: number, say: (text: string) => void) {
  const random = seeded(seed);
  let server = await workspace.serve();
  const writers = await makeWriters(server, CLIENTS);
  let current = Promise.resolve(server);
  let over = false;
  let halfStarted = 0;
  const writing = Promise.all(
    writers.map((writer) =>
      keepWriting(
        writer,
        () => current,
        () => !over,
      ),
    ),
  );

  async function kills() {
    for (let round = 1; round <= rounds; round++) {
      await later(50 + random.below(250));
      const next = Promise.withResolvers<Server>();
      current = next.promise;
      await server.kill();
      if (random.below(10) === 0) {
        await workspace.serveFor(random.below(600));
        halfStarted++;
      }
      if (round % CHECK_EVERY === 0) {
        say(`round ${round}: ${await check(workspace, writers, 1)} events, all there`);
      }
      server = await workspace.serve();
      next.resolve(server);
    }
  }

  await Promise.race([kills(), writing]);
  over = true;
  await writing;
  await server.kill();
  const events = await check(workspace, writers, 0);
  const acknowledged = writers.reduce((sum, writer) => sum + writer.acknowledged.length, 0);
  const unanswered = writers.reduce((sum, writer) => sum + writer.unanswered, 0);
  return `${rounds} kills (${halfStarted} more while starting), ${CLIENTS} clients, ${acknowledged} messages acknowledged, ${unanswered} requests cut off and sent again, ${events} events: none lost, none doubled, in order, chains whole (seed ${seed})`;
}

async function check(workspace: Workspace, writers: readonly Writer[], inFlight: 0 | 1): Promise<number> {
  const log = openSqliteLog(workspace.database, { readOnly: true });
  try {
    return await checkWritten(log, writers, inFlight);
  } finally {
    await log.close();
  }
}
