import type pg from 'pg';
import type { LogCheck } from '../log-check.ts';
import { postgresMigrations } from '../migrations/postgres.ts';
import { parseTarget, withClient } from './connection.ts';

export function checkPostgres(url: string): Promise<LogCheck> {
  const target = parseTarget(url);
  return withClient(target, async (client) => {
    const readSetting = async (name: string) =>
      (await client.query('SELECT current_setting($1) AS value', [name])).rows[0].value as string;
    const weaknessOf = async (name: string, description: string) =>
      (await readSetting(name)) === 'off' ? [description] : [];
    return {
      store: `PostgreSQL ${(await readSetting('server_version')).split(' ')[0]}`,
      version: await readSchemaVersion(client, target.schema),
      current: postgresMigrations.length,
      damage: [],
      weaknesses: [
        ...(await weaknessOf('fsync', 'the server does not wait for the disk (fsync is off)')),
        ...(await weaknessOf('full_page_writes', 'a crash can corrupt pages (full_page_writes is off)')),
      ],
    };
  });
}

async function readSchemaVersion(client: pg.Client, schema: string): Promise<number> {
  const table = `${schema}.heddle_migrations`;
  const { rows } = await client.query('SELECT to_regclass($1) IS NOT NULL AS present', [table]);
  if (!rows[0].present) return 0;
  return (await client.query(`SELECT coalesce(max(version), 0) AS version FROM ${table}`)).rows[0].version;
}
