import type { Command } from '../../src/core/workspace.ts';
import { createEngine, type Engine } from '../../src/engine/engine.ts';
import type { AcceptedCommand } from '../../src/engine/handle.ts';
import { eventOf } from '../../src/log/event-log.ts';
import { openPostgresLog } from '../../src/log/postgres/postgres-log.ts';
import { human } from '../support/domain/given.ts';
import { start } from './child.ts';
import { checkExchange, furnishExchange, SETUP } from './exchanges.ts';
import { takenOver } from './taken-over.ts';

/** The server that runs an exchange is killed; another takes it over within ten seconds, and nothing is there twice. */
export const exchangeTakeover = takenOver({
  name: 'exchange-takeover',
  rules: '[X1] [L19]',
  counted: 'audits',
  furnish: furnishExchange,
  once: takeoverOnce,
});

async function takeoverOnce(url: string, directory: string): Promise<{ took: number; count: number }> {
  const log = await openPostgresLog(url);
  const engine = await createEngine({ log });
  const reactor = () => start('test/faults/pg-exchange-reactor.ts', [url, directory], { NODE_NO_WARNINGS: '1' });
  const first = reactor();
  await first.next();
  const input = { title: 'Pool', kind: 'exchange', invite: [], setup: SETUP };
  const made = (await engine.handle(human, { name: 'create', input } as Command)) as AcceptedCommand;
  const thread = made.events[0]?.thread as string;
  await engine.handle(human, { name: 'run', input: { thread, rounds: 100_000 } });
  await goneOn(engine, thread, 3);
  const second = reactor();
  await second.next();
  await goneOn(engine, thread, 1);
  first.process.kill('SIGKILL');
  const killed = performance.now();
  await first.ended;
  await goneOn(engine, thread, 1);
  const took = performance.now() - killed;
  await goneOn(engine, thread, 3);
  second.process.kill('SIGKILL');
  await second.ended;
  const { audits } = checkExchange((await log.readThread(thread, 0, 10_000)).map(eventOf));
  await engine.close();
  await log.close();
  return { took, count: audits };
}

/** Waits for so many more rounds than there are. */
async function goneOn(engine: Engine, thread: string, more: number): Promise<void> {
  const wanted = (await rounds(engine, thread)) + more;
  for (;;) {
    const changed = engine.tail.waitForChange(thread, 1_000);
    if ((await rounds(engine, thread)) >= wanted) return;
    await changed;
  }
}

async function rounds(engine: Engine, thread: string): Promise<number> {
  const rows = await engine.log.readThread(thread, 0, 10_000);
  return rows.filter((row) => row.body.includes('"type":"round.ended"')).length;
}
