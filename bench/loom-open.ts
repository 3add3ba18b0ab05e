import { join } from 'node:path';
import { isRefusal } from '../src/core/refusal.ts';
import { modeState } from '../src/core/workspace.ts';
import { createEngine, type Engine } from '../src/engine/engine.ts';
import { openDatabase } from '../src/log/sqlite/open-database.ts';
import { openSqliteLog } from '../src/log/sqlite/sqlite-log.ts';
import { loomWith } from './loom-edit.ts';
import { type Figure, ratios } from './measure.ts';
import { human, withDirectory, withEngine } from './scratch.ts';

const NODES = 100_000;
const AT_ONCE = 500;

/** From nothing to a loom in memory, against reading and parsing the same rows. */
export async function loomOpen(): Promise<Figure[]> {
  return withDirectory(async (directory) => {
    const path = join(directory, 'heddle.db');
    const looms = await withEngine(path, async (engine) => ({
      written: await writtenLoom(engine, NODES),
      imported: await loomWith(engine, NODES, (i) => (i < 3 ? undefined : `n${i - 1 - (i % 3)}`), `n${NODES - 1}`),
    }));
    const figures: Figure[] = [];
    for (const [how, thread] of Object.entries(looms)) {
      const found = await ratios(
        5,
        () => open(path, thread),
        () => scan(path, thread),
      );
      figures.push({
        name: `opening a loom of 100k nodes, ${how}, ÷ raw scan and parse`,
        goal: { atMost: 2 },
        values: found.ratios,
        note: `${found.ours.toFixed(0)} ms ÷ ${found.floor.toFixed(0)} ms`,
      });
    }
    return figures;
  });
}

/** A loom whose every node was committed by itself. */
async function writtenLoom(engine: Engine, nodes: number): Promise<string> {
  const made = await engine.handle(human, { name: 'create', input: { title: 'Written', kind: 'loom', invite: [] } });
  if (isRefusal(made)) throw new Error(made.refusal.message);
  const thread = made.events[0]?.thread as string;
  for (let done = 0; done < nodes; done += AT_ONCE) {
    const commits = Array.from({ length: AT_ONCE }, (_, i) =>
      engine.handle(human, { name: 'commit', input: { thread, edits: [], text: `word ${done + i} ` } }),
    );
    for (const handled of await Promise.all(commits)) if (isRefusal(handled)) throw new Error(handled.refusal.message);
  }
  return thread;
}

async function open(path: string, thread: string): Promise<number> {
  const log = openSqliteLog(path);
  const start = performance.now();
  const engine = await createEngine({ log });
  const loaded = await engine.state(thread);
  const took = performance.now() - start;
  if (!loaded || modeState('loom', loaded.state)?.nodes !== NODES) throw new Error('the loom was not opened whole');
  await engine.close();
  await log.close();
  return took;
}

function scan(path: string, thread: string): number {
  const db = openDatabase(path, {});
  const start = performance.now();
  let parsed = 0;
  for (const row of db.prepare('SELECT * FROM events WHERE thread = ? ORDER BY seq').iterate(thread)) {
    if (JSON.parse(row.body as string).seq > 0) parsed++;
  }
  const took = performance.now() - start;
  db.close();
  if (parsed === 0) throw new Error('nothing was scanned');
  return took;
}
