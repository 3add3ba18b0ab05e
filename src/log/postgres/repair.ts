import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { type EventLog, StoreUnavailable, wireTextOf } from '../event-log.ts';
import type { LogRepair, RepairedLog } from '../repair.ts';
import { parseTarget, withClient } from './connection.ts';
import { openPostgresLog } from './postgres-log.ts';

const PAGE = 500;
const NO_TIMEOUT = 0;

/** Writes every event unchanged to a file, and only then repairs the tables, in one transaction. */
export async function repairPostgres(url: string, repair: LogRepair, backupPath: string): Promise<RepairedLog> {
  const log = await openPostgresLog(url);
  await writeEvents(log, backupPath);
  await applyRepair(url, repair);
  return { log, accept: async () => backupPath, discard: () => log.close() };
}

/** Not an export: an export verifies every link, and here some are broken. */
async function writeEvents(log: EventLog, path: string) {
  const file = createWriteStream(path, { flags: 'wx', mode: 0o600 });
  for (const fork of await log.forks()) file.write(`${JSON.stringify({ fork })}\n`);
  for (let position = 0; ; ) {
    const rows = await log.readAll(position, PAGE);
    if (rows.length === 0) break;
    const isFull = !file.write(rows.map((row) => `${wireTextOf(row)}\n`).join(''));
    if (isFull) await once(file, 'drain');
    position += rows.length;
  }
  file.end();
  await once(file, 'finish');
}

function applyRepair(url: string, { rewrites, forks, records, head }: LogRepair): Promise<void> {
  return withClient(
    parseTarget(url),
    async (client) => {
      await client.query('BEGIN');
      await client.query('SELECT lock_workspace()');
      const { rows } = await client.query('SELECT coalesce(max(position), 0) AS head FROM events');
      if (rows[0].head !== head) {
        throw new StoreUnavailable(
          'Something was written while the repair was prepared. Nothing was changed: stop every server, then run it again.',
        );
      }
      for (const { position, body, hash } of rewrites) {
        await client.query('UPDATE events SET body = $1, hash = $2 WHERE position = $3', [body, hash, position]);
      }
      for (const { thread, seq } of forks)
        await client.query('UPDATE forks SET seq = $1 WHERE thread = $2', [seq, thread]);
      for (const { kind, key, value } of records)
        await client.query('INSERT INTO records VALUES ($1, $2, $3)', [kind, key, value]);
      await client.query('DELETE FROM snapshots');
      await client.query('DELETE FROM order_marks');
      await client.query('SELECT mark_order(0)');
      await client.query('COMMIT');
    },
    NO_TIMEOUT,
  );
}
