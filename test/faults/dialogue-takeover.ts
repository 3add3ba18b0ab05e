import type { Command } from '../../src/core/workspace.ts';
import { createEngine, type Engine } from '../../src/engine/engine.ts';
import type { AcceptedCommand } from '../../src/engine/handle.ts';
import { eventOf } from '../../src/log/event-log.ts';
import { openPostgresLog } from '../../src/log/postgres/postgres-log.ts';
import { human } from '../support/domain/given.ts';
import { start } from './child.ts';
import { checkIterations, furnishMind } from './minds.ts';
import { takenOver } from './taken-over.ts';

/** The server that runs a mind is killed; another goes on with it, soon, and no iteration is there twice. */
export const dialogueTakeover = takenOver({
  name: 'dialogue-takeover',
  rules: '[D3] [L19]',
  counted: 'iterations',
  furnish: furnishMind,
  once: takeoverOnce,
});

async function takeoverOnce(url: string, directory: string): Promise<{ took: number; count: number }> {
  const log = await openPostgresLog(url);
  const engine = await createEngine({ log });
  const mind = () => start('test/faults/pg-mind-reactor.ts', [url, directory], { NODE_NO_WARNINGS: '1' });
  const first = mind();
  await first.next();
  const thread = await begin(engine);
  await iterated(engine, thread, 3);
  const second = mind();
  await second.next();
  await iterated(engine, thread, 3);
  first.process.kill('SIGKILL');
  const killed = performance.now();
  await first.ended;
  await iterated(engine, thread, 1);
  const took = performance.now() - killed;
  await iterated(engine, thread, 3);
  second.process.kill('SIGKILL');
  await second.ended;
  const { iterations } = checkIterations((await log.readThread(thread, 0, 10_000)).map(eventOf));
  await engine.close();
  await log.close();
  return { took, count: iterations };
}

async function begin(engine: Engine): Promise<string> {
  const create = { name: 'create', input: { title: 'Talk', kind: 'dialogue', invite: [] } } as Command;
  const thread = ((await engine.handle(human, create)) as AcceptedCommand).events[0]?.thread as string;
  const run = { iterations: 1_000_000, silences: 1000 };
  await engine.handle(human, { name: 'message', input: { thread, text: 'Is it noisy in there?', run } });
  return thread;
}

/** Waits for so many more iterations than there are. */
async function iterated(engine: Engine, thread: string, more: number): Promise<void> {
  const wanted = (await count(engine, thread)) + more;
  for (;;) {
    const changed = engine.tail.waitForChange(thread, 1_000);
    if ((await count(engine, thread)) >= wanted) return;
    await changed;
  }
}

async function count(engine: Engine, thread: string): Promise<number> {
  const rows = await engine.log.readThread(thread, 0, 10_000);
  return rows.filter((row) => row.body.includes('"type":"iteration.ended"')).length;
}
