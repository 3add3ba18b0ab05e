import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isRefusal } from '../../src/core/refusal.ts';
import type { ConversationCommand } from '../../src/core/threads/commands.ts';
import { createEngine } from '../../src/engine/engine.ts';
import { verifyLog } from '../../src/formats/verify/verify.ts';
import type { EventLog } from '../../src/log/event-log.ts';
import { openMemoryLog } from '../../src/log/memory/memory-log.ts';
import { openPostgresLog } from '../../src/log/postgres/postgres-log.ts';
import { openSqliteLog } from '../../src/log/sqlite/sqlite-log.ts';
import { human } from '../support/domain/given.ts';
import { startPostgres } from '../support/stores/postgres.ts';
import { type Fault, must } from './fault.ts';

/** A thread is forked in the same commit as others write to it: every fork begins where it says. */
export const forks: Fault = {
  name: 'forks',
  rules: '[L22]',
  slice: 40,
  full: 10_000,
  async run(rounds, say) {
    const directory = await mkdtemp(join(tmpdir(), 'heddle-forks-'));
    const postgres = await startPostgres();
    const stores: Record<string, () => Promise<EventLog>> = {
      memory: async () => openMemoryLog(),
      SQLite: async () => openSqliteLog(join(directory, 'heddle.db')),
      PostgreSQL: () => openPostgresLog(postgres.url),
    };
    try {
      const events: string[] = [];
      for (const [name, open] of Object.entries(stores)) {
        events.push(`${await forkBesideWriters(await open(), rounds)} events on ${name}`);
        say(events.at(-1) as string);
      }
      return `${rounds} rounds of two messages and a fork at once on each store, 0 broken links: ${events.join(', ')}`;
    } finally {
      await postgres.stop();
      await rm(directory, { recursive: true, force: true });
    }
  },
};

/** A fresh thread now and then, as the fork of a long one reads its whole history. */
const ROUNDS_PER_THREAD = 50;

async function forkBesideWriters(log: EventLog, rounds: number): Promise<number> {
  const engine = await createEngine({ log });
  const send = async (command: ConversationCommand) => {
    const handled = await engine.handle(human, command);
    must(!isRefusal(handled), `refused: ${JSON.stringify(handled)}`);
    return handled.events[0] as (typeof handled.events)[number];
  };
  try {
    let thread = '';
    for (let round = 0; round < rounds; round++) {
      if (round % ROUNDS_PER_THREAD === 0) {
        thread = (await send({ name: 'create', input: { title: 'Plans', kind: 'conversation', invite: [] } })).thread;
      }
      const post: ConversationCommand = { name: 'post', input: { thread, type: 'message', content: `round ${round}` } };
      const [, , fork] = await Promise.all([send(post), send(post), send({ name: 'fork', input: { thread } })]);
      await send({ ...post, input: { ...post.input, thread: fork.thread } });
    }
    const { broken, events } = await verifyLog(log, undefined);
    must(!broken, `the chain is broken: ${JSON.stringify(broken)}`);
    return events;
  } finally {
    await engine.close();
    await log.close();
  }
}
