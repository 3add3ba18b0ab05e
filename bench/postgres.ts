import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { createEngine } from '../src/engine/engine.ts';
import { openPostgresLog } from '../src/log/postgres/postgres-log.ts';
import { freshSchema, startPostgres } from '../test/support/stores/postgres.ts';
import { type Figure, ratios } from './measure.ts';
import { append, human, say, TEXT, threadIn } from './scratch.ts';

const CLIENTS = 8;
const APPENDS = 4_000;

/** Eight clients through one engine, against eight bare connections that insert the same rows. */
export async function postgres(): Promise<Figure[]> {
  const server = await startPostgres({ durable: true });
  try {
    const log = await openPostgresLog(freshSchema(server.url));
    const engine = await createEngine({ log });
    const thread = await threadIn(engine);
    const bare = await openBare(server.url);
    const perSecond = async (one: (client: number) => Promise<unknown>) => {
      let left = APPENDS;
      const start = performance.now();
      await Promise.all(
        Array.from({ length: CLIENTS }, async (_, client) => {
          while (left-- > 0) await one(client);
        }),
      );
      return APPENDS / ((performance.now() - start) / 1000);
    };
    const run = await ratios(
      9,
      () => perSecond(() => append(engine, human, say(thread))),
      () => perSecond(bare.insert),
    );
    await bare.close();
    await engine.close();
    await log.close();
    return [
      {
        name: 'PostgreSQL appends per second, 8 clients ÷ the same insert by 8 bare connections',
        goal: { atLeast: 0.6 },
        values: run.ratios,
        note: `${run.ours.toFixed(0)}/s ÷ ${run.floor.toFixed(0)}/s, fsync on, ${APPENDS} appends a round`,
      },
    ];
  } finally {
    await server.stop();
  }
}

/** An event row and a command row per transaction, positions from a sequence. */
async function openBare(url: string) {
  const clients = await Promise.all(
    Array.from({ length: CLIENTS }, async () => {
      const client = new pg.Client(url);
      await client.connect();
      return client;
    }),
  );
  const first = clients[0] as pg.Client;
  await first.query(`CREATE TABLE bare_events (position bigserial PRIMARY KEY, id text UNIQUE, thread text, seq bigint,
    hash text, body text, UNIQUE (thread, seq))`);
  await first.query(
    'CREATE TABLE bare_commands (participant text, id text, digest text, PRIMARY KEY (participant, id))',
  );
  const body = JSON.stringify({ content: TEXT, pad: 'x'.repeat(200) });
  const hash = 'h'.repeat(64);
  let seq = 0;
  return {
    insert: (client: number) => {
      const id = randomUUID();
      const text = `WITH c AS (INSERT INTO bare_commands VALUES ('human', $1, $4))
        INSERT INTO bare_events (id, thread, seq, hash, body) VALUES ($1, $2, $3, $4, $5)`;
      return (clients[client] as pg.Client).query({ name: 'insert', text, values: [id, 't', ++seq, hash, body] });
    },
    close: () => Promise.all(clients.map((client) => client.end())),
  };
}
