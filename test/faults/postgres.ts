import type { ConversationCommand } from '../../src/core/threads/commands.ts';
import { createEngine, type Engine } from '../../src/engine/engine.ts';
import type { AcceptedCommand } from '../../src/engine/handle.ts';
import { verifyLog } from '../../src/formats/verify/verify.ts';
import { openPostgresLog } from '../../src/log/postgres/postgres-log.ts';
import { human } from '../support/domain/given.ts';
import { freshSchema, startPostgres } from '../support/stores/postgres.ts';
import { start } from './child.ts';
import { type Fault, must } from './fault.ts';
import { takenOver } from './taken-over.ts';

const SERVERS = 4;
const WRITERS_EACH = 8;
const TAILS = 8;

/** Several servers append to one PostgreSQL workspace at random moments while tails read along. */
export const postgresOrder: Fault = {
  name: 'postgres-order',
  rules: '[L10] [L19]',
  slice: 4_000,
  full: 200_000,
  async run(amount, say) {
    const server = await startPostgres();
    try {
      const url = freshSchema(server.url);
      const log = await openPostgresLog(url);
      const engine = await createEngine({ log });
      const threads = await Promise.all(Array.from({ length: SERVERS }, () => newThread(engine)));
      const before = await log.head();
      const total = before + amount;

      const second = await openPostgresLog(url);
      const other = await createEngine({ log: second });
      const tails = Array.from({ length: TAILS }, (_, i) => follow(i % 2 ? other : engine, total));

      const each = Math.floor(amount / SERVERS);
      const writers = threads.map((_, i) => {
        // Each two servers share a thread, so that they meet.
        const thread = threads[i >> 1] as string;
        const args = [url, thread, String(each), `server-${i}`, String(WRITERS_EACH)];
        return start('test/faults/writer.ts', args, { NODE_NO_WARNINGS: '1' });
      });
      for (const [i, writer] of writers.entries()) {
        const { refused } = (await writer.next()) as { refused: string[] };
        must(refused.length === 0, `server ${i} was refused ${refused.length} times: ${[...new Set(refused)]}`);
        say(`server ${i} has written ${each}`);
      }
      for (const tail of tails) await tail;
      say(`${TAILS} tails have read ${total}`);
      const { broken, events } = await verifyLog(log, undefined);
      must(!broken, `the chain is broken: ${JSON.stringify(broken)}`);
      must(events === total, `${events} events instead of ${total}`);
      for (const one of [engine, other]) await one.close();
      for (const one of [log, second]) await one.close();
      return `${amount} appends by ${SERVERS * WRITERS_EACH} writers on ${SERVERS} servers, ${TAILS} tails: none skipped, none out of order, chains whole`;
    } finally {
      await server.stop();
    }
  },
};

/** Resolves when every position up to `total` was delivered, each once and in order. */
function follow(engine: Engine, total: number): Promise<void> {
  return new Promise((resolve, reject) => {
    let last = 0;
    const stop = engine.tail.subscribe({
      after: 0,
      onEvents(rows) {
        for (const row of rows) {
          if (row.position !== last + 1) reject(new Error(`position ${row.position} came after ${last}`));
          last = row.position;
        }
        if (last < total) return;
        stop();
        resolve();
      },
      onLive: () => {},
      ready: async () => {},
      onError: reject,
    });
  });
}

async function newThread(engine: Engine): Promise<string> {
  const create: ConversationCommand = { name: 'create', input: { title: 'Crowd', kind: 'conversation', invite: [] } };
  return ((await engine.handle(human, create)) as AcceptedCommand).events[0]?.thread as string;
}

/** A server that reacts is killed; another carries out what it left, soon and once. */
export const takeover = takenOver({ name: 'takeover', rules: '[L19]', counted: 'notices', once: takeoverOnce });

async function takeoverOnce(url: string): Promise<{ took: number; count: number }> {
  const log = await openPostgresLog(url);
  const engine = await createEngine({ log });
  const first = start('test/faults/pg-reactor.ts', [url], { NODE_NO_WARNINGS: '1' });
  const holding = await untilHeld(engine, first);
  const second = start('test/faults/pg-reactor.ts', [url], { NODE_NO_WARNINGS: '1' });
  await second.next();

  const thread = await newThread(engine);
  const sides: string[] = [];
  for (let i = 0; i < 5; i++) {
    const open: ConversationCommand = { name: 'side_open', input: { thread, question: `q${i}`, members: ['alpha'] } };
    sides.push(((await engine.handle(human, open)) as AcceptedCommand).events[0]?.thread as string);
  }
  holding.process.kill('SIGKILL');
  const killed = performance.now();
  const done: ConversationCommand = { name: 'post', input: { thread, type: 'control', content: { done: true } } };
  await engine.handle(human, done);
  for (const side of sides) await noticed(engine, side);
  const took = performance.now() - killed;
  second.process.kill('SIGKILL');
  await second.ended;
  for (const side of sides) must((await notices(engine, side)) === 1, 'a side channel was told twice');
  await engine.close();
  await log.close();
  return { took, count: sides.length };
}

/** The reactor says so when it is up; it is the only one, so it gets the lease. */
async function untilHeld(engine: Engine, reactor: ReturnType<typeof start>) {
  await reactor.next();
  const thread = await newThread(engine);
  const open: ConversationCommand = { name: 'side_open', input: { thread, question: 'ready?', members: ['alpha'] } };
  const side = ((await engine.handle(human, open)) as AcceptedCommand).events[0]?.thread as string;
  await engine.handle(human, { name: 'post', input: { thread, type: 'control', content: { done: true } } });
  await noticed(engine, side);
  return reactor;
}

async function noticed(engine: Engine, side: string) {
  for (;;) {
    const changed = engine.tail.waitForChange(side, 1_000);
    if ((await notices(engine, side)) > 0) return;
    await changed;
  }
}

async function notices(engine: Engine, side: string): Promise<number> {
  const rows = await engine.log.readThread(side, 0, 100);
  return rows.filter((row) => row.body.includes('"type":"notice.posted"')).length;
}
