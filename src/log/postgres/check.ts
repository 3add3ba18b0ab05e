import pg from 'pg';
import type { LogCheck } from '../log-check.ts';
import { postgresMigrations } from '../migrations/postgres.ts';
import { targetOf } from './connection.ts';
import { explain } from './errors.ts';

export async function checkPostgres(url: string): Promise<LogCheck> {
  const target = targetOf(url);
  const client = new pg.Client(target.config);
  client.on('error', () => {});
  try {
    await client.connect();
    const setting = async (name: string) =>
      (await client.query('SELECT current_setting($1) AS value', [name])).rows[0].value as string;
    const weak = async (name: string, what: string) => ((await setting(name)) === 'off' ? [what] : []);
    return {
      store: `PostgreSQL ${(await setting('server_version')).split(' ')[0]}`,
      version: await versionOf(client, target.schema),
      current: postgresMigrations.length,
      damage: [],
      weaknesses: [
        ...(await weak('fsync', 'the server does not wait for the disk (fsync is off)')),
        ...(await weak('full_page_writes', 'the server may tear pages in a crash (full_page_writes is off)')),
      ],
    };
  } catch (error) {
    throw explain(error, target.place);
  } finally {
    await client.end().catch(() => {});
  }
}

async function versionOf(client: pg.Client, schema: string): Promise<number> {
  const table = `${schema}.heddle_migrations`;
  const { rows } = await client.query('SELECT to_regclass($1) IS NOT NULL AS present', [table]);
  if (!rows[0].present) return 0;
  return (await client.query(`SELECT coalesce(max(version), 0) AS version FROM ${table}`)).rows[0].version;
}
