import { statSync } from 'node:fs';
import { join } from 'node:path';
import { createEngine, type Engine } from '../src/engine/engine.ts';
import { rebuildIndex } from '../src/engine/search/index-writer.ts';
import { createIndexer } from '../src/engine/search/indexer.ts';
import { openSqliteLog } from '../src/log/sqlite/sqlite-log.ts';
import { type Figure, ratios, spent } from './measure.ts';
import { agent, append, say, threadIn, withDirectory, withEngine } from './scratch.ts';
import { answersOf } from './search-wishes.ts';
import { fillWorkspace } from './search-workspace.ts';

const THREADS = 1_000;
const EVENTS = 1_000_000;
const POSTS = 900;
const AT_ONCE = 50;

/** First results in a workspace of a million events, and what it costs to have the index. */
export async function search(): Promise<Figure[]> {
  return withDirectory(async (directory) => [...(await inAMillion(directory)), await besideAppends(directory)]);
}

async function inAMillion(directory: string): Promise<Figure[]> {
  const path = join(directory, 'heddle.db');
  const log = openSqliteLog(path, { synchronous: 'NORMAL' });
  await fillWorkspace(log, THREADS, EVENTS / THREADS);
  const { seconds, cpuSeconds } = await spent(() => rebuildIndex(log));
  const engine = await createEngine({ log });
  const answers = await answersOf(engine, 'SQLite');
  await engine.close();
  await log.close();
  const [index, whole] = [statSync(join(directory, 'heddle.search.db')).size, statSync(path).size];
  const size: Figure = {
    name: 'size of the index ÷ size of the log',
    goal: { atMost: 0.5 },
    values: [index / whole],
    note: `${(index / EVENTS).toFixed(0)} ÷ ${(whole / EVENTS).toFixed(0)} bytes an event; made in ${seconds.toFixed(0)} s, ${Math.round(EVENTS / cpuSeconds).toLocaleString('en')} events per second of CPU`,
  };
  return [...answers, size];
}

/** What posts cost with all that the index takes for them, against posts alone. */
async function besideAppends(directory: string): Promise<Figure> {
  return withEngine(join(directory, 'with.db'), (indexed) =>
    withEngine(join(directory, 'without.db'), async (bare) => {
      const { log, tail } = indexed;
      const indexing = createIndexer({ log, tail, holder: 'bench', report: console.error });
      indexing.start();
      const cost = async (engine: Engine, after: () => Promise<unknown>) => {
        const thread = await threadIn(engine);
        const { cpuSeconds } = await spent(async () => {
          for (let i = 0; i < POSTS; i += AT_ONCE) {
            await Promise.all(Array.from({ length: AT_ONCE }, () => append(engine, agent, say(thread))));
          }
          await after();
        });
        return (cpuSeconds * 1e6) / POSTS;
      };
      const run = await ratios(
        9,
        () => cost(indexed, indexing.refresh),
        () => cost(bare, async () => {}),
      );
      await indexing.close();
      return {
        name: 'appending with the index made ÷ without an index',
        goal: { atMost: 2 },
        values: run.ratios,
        note: `${run.ours.toFixed(0)} µs ÷ ${run.floor.toFixed(0)} µs of CPU a post, ${AT_ONCE} at once; the index comes behind them`,
      };
    }),
  );
}
