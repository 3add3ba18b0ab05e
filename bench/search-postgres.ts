import pg from 'pg';
import { createEngine } from '../src/engine/engine.ts';
import { rebuildIndex } from '../src/engine/search/index-writer.ts';
import { openPostgresLog } from '../src/log/postgres/postgres-log.ts';
import { startPostgres } from '../test/support/stores/postgres.ts';
import type { Figure } from './measure.ts';
import { answersOf } from './search-wishes.ts';
import { fillWorkspace } from './search-workspace.ts';

const THREADS = 1_000;
const EVENTS = 1_000_000;

/** First results in a workspace of a million events on a PostgreSQL server. */
export async function searchPostgres(): Promise<Figure[]> {
  // Filling does not wait for the disk; looking never does.
  const server = await startPostgres();
  try {
    const log = await openPostgresLog(`${server.url}?schema=million`);
    await fillWorkspace(log, THREADS, EVENTS / THREADS);
    const start = performance.now();
    await rebuildIndex(log);
    const seconds = (performance.now() - start) / 1000;
    const engine = await createEngine({ log });
    const answers = await answersOf(engine, 'PostgreSQL');
    await engine.close();
    await log.close();
    const { words, whole } = await sizes(server.url);
    return [
      ...answers,
      {
        name: 'size of the index ÷ size of the log, in PostgreSQL',
        goal: { atMost: 1 },
        values: [words / whole],
        note: `${(words / EVENTS).toFixed(0)} ÷ ${(whole / EVENTS).toFixed(0)} bytes an event; made in ${seconds.toFixed(0)} s, ${Math.round(EVENTS / seconds).toLocaleString('en')} events a second`,
      },
    ];
  } finally {
    await server.stop();
  }
}

async function sizes(url: string): Promise<{ words: number; whole: number }> {
  const client = new pg.Client(url);
  await client.connect();
  const { rows } = await client.query(
    `SELECT pg_total_relation_size('million.search_texts')::float8 AS words,
       pg_total_relation_size('million.events')::float8 AS whole`,
  );
  await client.end();
  return rows[0];
}
