import { randomInt } from 'node:crypto';
import { openPostgresLog } from '../../src/log/postgres/postgres-log.ts';
import { seeded } from '../support/random.ts';
import { freshSchema, startPostgres } from '../support/stores/postgres.ts';
import { type Fault, must } from './fault.ts';
import { type Server, type Workspace, withWorkspace } from './server.ts';
import { checkWritten, keepWriting, makeWriters, type Writer } from './writers.ts';

const CLIENTS = 8;
const READERS = 2;

/** Two real servers share a PostgreSQL workspace; now and then one is killed and its clients go on at the other. */
export const twoServers: Fault = {
  name: 'two-servers',
  rules: '[L7] [L10] [L19]',
  slice: 4,
  full: 60,
  async run(rounds, say) {
    const seed = randomInt(2 ** 31);
    say(`seed ${seed}`);
    const postgres = await startPostgres();
    const url = freshSchema(postgres.url);
    try {
      return await withWorkspace(
        (one) => withWorkspace((two) => killInTurn([one, two], url, rounds, seed, say), ['--database', url]),
        ['--database', url],
      );
    } catch (error) {
      throw new Error(`seed ${seed}: ${(error as Error).message}`, { cause: error });
    } finally {
      await postgres.stop();
    }
  },
};

async function killInTurn(
  workspaces: readonly [Workspace, Workspace],
  url: string,
  rounds: number,
  seed: number,
  say: (text: string) => void,
): Promise<string> {
  const random = seeded(seed);
  const servers: Server[] = [await workspaces[0].serve(), await workspaces[1].serve()];
  const writers = await makeWriters(servers[0] as Server, CLIENTS);
  const log = await openPostgresLog(url);
  let over = false;
  let enough = 0;
  let reached = () => {};
  const home = (i: number) => async () => servers.find((server, at) => at === i % 2 && !server.killed) ?? running();
  const running = () => servers.find((server) => !server.killed) as Server;
  const writing = Promise.all(writers.map((writer, i) => keepWriting(writer, home(i), goOn)));
  const readers = servers.flatMap((_, i) => Array.from({ length: READERS }, () => follow(home(i))));

  function goOn(): boolean {
    if (sum(writers) >= enough) reached();
    return !over;
  }

  /** Resolves when so many more messages were acknowledged. */
  function written(more: number): Promise<void> {
    enough = sum(writers) + more;
    return new Promise((resolve) => {
      reached = resolve;
    });
  }

  async function kills() {
    for (let round = 1; round <= rounds; round++) {
      await written(50 + random.below(150));
      const at = round % 2;
      await (servers[at] as Server).kill();
      await written(20 + random.below(50));
      servers[at] = await (workspaces[at] as Workspace).serve();
      if (round % 10 === 0) say(`round ${round}: ${sum(writers)} messages acknowledged`);
    }
  }

  const failed = Promise.all(readers.map((reader) => reader.ended));
  await Promise.race([kills(), writing, failed]);
  over = true;
  await writing;
  const events = await checkWritten(log, writers, 0);
  await Promise.all(readers.map((reader) => reader.upTo(events)));
  await log.close();
  const unanswered = writers.reduce((count, writer) => count + writer.unanswered, 0);
  return `${rounds} kills of one of two servers, ${CLIENTS} clients, ${sum(writers)} messages acknowledged, ${unanswered} requests cut off and sent again elsewhere, ${READERS * 2} readers: ${events} events, none lost, none doubled, the same order for all (seed ${seed})`;
}

/** Reads the workspace at whichever server there is, going on at the next behind the last cursor. */
function follow(where: () => Promise<Server>) {
  const over = new AbortController();
  let last = 0;
  let cursor: string | undefined;
  let reached = () => {};
  let wanted = Number.POSITIVE_INFINITY;

  async function read() {
    while (!over.signal.aborted) {
      const server = await where();
      const connection = new AbortController();
      const stream = server.client().stream({
        after: cursor,
        signal: AbortSignal.any([over.signal, connection.signal]),
        // A stream tries the same address again and again; here another one answers.
        onState: (state) => state === 'waiting' && server.killed && connection.abort(),
      });
      for await (const item of stream) {
        if (!item.event) continue;
        must(item.cursor === `w1.${(last + 1).toString(36)}`, `${item.cursor} came after event ${last}`);
        last++;
        cursor = item.cursor;
        if (last >= wanted) reached();
      }
    }
  }

  const ended = read();
  ended.catch(() => {});
  return {
    ended,
    /** Resolves when so many events were read, and ends. */
    async upTo(events: number) {
      const there = new Promise<void>((resolve) => {
        reached = resolve;
      });
      wanted = events;
      if (last < events) await Promise.race([there, ended]);
      must(last === events, `a reader saw ${last} events of ${events}`);
      over.abort();
      await ended;
    },
  };
}

function sum(writers: readonly Writer[]): number {
  return writers.reduce((count, writer) => count + writer.acknowledged.length, 0);
}
