import { join } from 'node:path';
import { openDatabase } from '../src/log/sqlite/open-database.ts';
import { type Figure, median, ratios } from './measure.ts';
import { append, human, say, TEXT, threadIn, withDirectory, withEngine } from './scratch.ts';

const APPENDS = 300;

/** One writer, one append at a time, against one bare INSERT into the same table with synchronous=FULL. */
export async function loneAppend(): Promise<Figure[]> {
  return withDirectory((directory) =>
    withEngine(join(directory, 'ours.db'), async (engine) => {
      const thread = await threadIn(engine);
      const raw = openDatabase(join(directory, 'floor.db'), {});
      const insert = raw.prepare('INSERT INTO events VALUES (?, ?, ?, ?, ?, ?)');
      const body = JSON.stringify({ content: TEXT, from: 'human', type: 'message', pad: 'x'.repeat(150) });
      let position = 0;
      const run = await ratios(
        15,
        () => p50(() => append(engine, human, say(thread))),
        () => p50(() => insert.run(++position, `id${position}`, 'thread', position, 'h'.repeat(64), body)),
      );
      raw.close();
      return [
        {
          name: 'p50 of a lone append through the engine ÷ raw FULL insert',
          goal: { atMost: 1.5 },
          values: run.ratios,
          note: `${(run.ours * 1000).toFixed(0)} µs ÷ ${(run.floor * 1000).toFixed(0)} µs, ${APPENDS} appends a round`,
        },
      ];
    }),
  );
}

async function p50(work: () => unknown): Promise<number> {
  const times: number[] = [];
  for (let i = 0; i < APPENDS; i++) {
    const start = performance.now();
    await work();
    times.push(performance.now() - start);
  }
  return median(times);
}
