import { join } from 'node:path';
import { createEngine } from '../src/engine/engine.ts';
import { openDatabase } from '../src/log/sqlite/open-database.ts';
import { openSqliteLog } from '../src/log/sqlite/sqlite-log.ts';
import { type Figure, ratios } from './measure.ts';
import { fill, threadIn, withDirectory, withEngine } from './scratch.ts';

const EVENTS = 100_000;

/** From nothing to a thread's state, against reading and parsing the same rows. */
export async function opening(): Promise<Figure[]> {
  return withDirectory(async (directory) => {
    const path = join(directory, 'heddle.db');
    const thread = await withEngine(path, async (engine) => {
      const made = await threadIn(engine);
      await fill(engine, made, EVENTS - 1);
      return made;
    });
    const open = (keepSnapshots: boolean) => async () => {
      const log = openSqliteLog(path);
      if (!keepSnapshots) await log.dropSnapshots();
      const start = performance.now();
      const engine = await createEngine({ log });
      if ((await engine.state(thread))?.seq !== EVENTS) throw new Error('the thread was not opened whole');
      const took = performance.now() - start;
      await engine.close();
      await log.close();
      return took;
    };
    const scan = () => {
      const db = openDatabase(path, {});
      const start = performance.now();
      let parsed = 0;
      for (const row of db.prepare('SELECT * FROM events WHERE thread = ? ORDER BY seq').iterate(thread)) {
        if (JSON.parse(row.body as string).seq > 0) parsed++;
      }
      const took = performance.now() - start;
      db.close();
      if (parsed !== EVENTS) throw new Error(`scanned ${parsed}`);
      return took;
    };
    const without = await ratios(7, open(false), scan);
    const withSnapshot = await ratios(7, open(true), scan);
    return [
      {
        name: 'opening a workspace of 100k events ÷ raw scan and parse',
        goal: { atMost: 1.5 },
        values: without.ratios,
        note: `${without.ours.toFixed(0)} ms ÷ ${without.floor.toFixed(0)} ms, without snapshots`,
      },
      {
        name: 'the same with a snapshot',
        goal: { atMost: 0.2 },
        values: withSnapshot.ratios,
        note: `${withSnapshot.ours.toFixed(1)} ms ÷ ${withSnapshot.floor.toFixed(0)} ms`,
      },
    ];
  });
}
