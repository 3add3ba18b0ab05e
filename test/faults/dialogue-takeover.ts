import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Command } from '../../src/core/workspace.ts';
import { createEngine, type Engine } from '../../src/engine/engine.ts';
import type { Done } from '../../src/engine/handle.ts';
import { eventOf } from '../../src/log/event-log.ts';
import { openPostgresLog } from '../../src/log/postgres.ts';
import { human } from '../support/given.ts';
import { freshSchema, startPostgres } from '../support/postgres.ts';
import { start } from './child.ts';
import { type Fault, must } from './fault.ts';
import { checkIterations, furnishMind } from './minds.ts';

/** The server that runs a mind is killed; another goes on with it, soon, and no iteration is there twice. */
export const dialogueTakeover: Fault = {
  name: 'dialogue-takeover',
  rules: '[D3] [L19]',
  slice: 1,
  full: 10,
  async run(rounds, say) {
    const directory = await mkdtemp(join(tmpdir(), 'heddle-minds-'));
    const server = await startPostgres();
    let slowest = 0;
    let iterations = 0;
    try {
      await furnishMind(directory);
      for (let round = 1; round <= rounds; round++) {
        const went = await takeoverOnce(freshSchema(server.url), directory);
        slowest = Math.max(slowest, went.took);
        iterations += went.iterations;
        say(`round ${round}: another went on after ${(went.took / 1000).toFixed(1)} s`);
      }
    } finally {
      await server.stop();
      await rm(directory, { recursive: true, force: true });
    }
    must(slowest < 10_000, `a takeover took ${slowest.toFixed(0)} ms`);
    return `${rounds} killed servers: another went on within ${(slowest / 1000).toFixed(1)} s, ${iterations} iterations without gap or double`;
  },
};

async function takeoverOnce(url: string, directory: string): Promise<{ took: number; iterations: number }> {
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
  return { took, iterations };
}

async function begin(engine: Engine): Promise<string> {
  const create = { name: 'create', input: { title: 'Talk', kind: 'dialogue', invite: [] } } as Command;
  const thread = ((await engine.handle(human, create)) as Done).events[0]?.thread as string;
  const run = { iterations: 1_000_000, silences: 1000 };
  await engine.handle(human, { name: 'message', input: { thread, text: 'Is it noisy in there?', run } });
  return thread;
}

/** Waits for so many more iterations than there are. */
async function iterated(engine: Engine, thread: string, more: number): Promise<void> {
  const wanted = (await count(engine, thread)) + more;
  for (;;) {
    const changed = engine.tail.changed(thread, 1_000);
    if ((await count(engine, thread)) >= wanted) return;
    await changed;
  }
}

async function count(engine: Engine, thread: string): Promise<number> {
  const rows = await engine.log.readThread(thread, 0, 10_000);
  return rows.filter((row) => row.body.includes('"type":"iteration.ended"')).length;
}
