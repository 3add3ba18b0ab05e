import pg from 'pg';
import { StoreUnavailable } from '../event-log.ts';
import { postgresMigrations } from '../migrations/postgres.ts';
import { explain } from './errors.ts';
import { type Ground, groundOf } from './table-identity.ts';

export interface Target {
  readonly config: pg.ClientConfig;
  readonly schema: string;
  /** Where it is, without user and password. */
  readonly place: string;
}

const INT8 = 20;
const CONNECT_MS = 10_000;
const STATEMENT_MS = 30_000;
/** A migration may read every event there is. */
const MIGRATION_MS = 30 * 60_000;

/** `postgres://user:password@host/database?schema=name`; without a schema it is `heddle`. */
export function targetOf(url: string): Target {
  const parsed = parse(url);
  const schema = parsed.searchParams.get('schema') ?? 'heddle';
  if (!/^[a-z_][a-z0-9_]{0,62}$/.test(schema)) {
    throw new StoreUnavailable(
      'The schema in the database URL may have small letters, digits and _ only, at most 63, and must not start with a digit.',
    );
  }
  parsed.searchParams.delete('schema');
  return {
    schema,
    place: `${parsed.host || 'localhost'}${parsed.pathname} (schema ${schema})`,
    config: {
      connectionString: parsed.href,
      application_name: parsed.searchParams.get('application_name') ?? 'heddle',
      connectionTimeoutMillis: CONNECT_MS,
      statement_timeout: STATEMENT_MS,
      // The server gives up first; this is for a server that is gone without a word.
      query_timeout: STATEMENT_MS + 5000,
      keepAlive: true,
      types: {
        getTypeParser: (oid, format) => (oid === INT8 ? Number : pg.types.getTypeParser(oid, format)) as never,
      },
    },
  };
}

/**
 * Every query here is a walk along an index, whatever the statistics of a young
 * table say; and an acknowledged commit is on the disk (L8), whatever the
 * server's default is.
 */
export async function prepareSession(client: pg.ClientBase, schema: string): Promise<void> {
  await client.query(`
    SET search_path TO "${schema}";
    SET default_transaction_isolation TO 'read committed';
    SET plan_cache_mode TO force_generic_plan;
    SET enable_seqscan TO off;
    SET enable_hashjoin TO off;
    SET enable_mergejoin TO off;
    SET jit TO off;
    SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off';
  `);
}

/** Brings the schema up to date; of several servers starting at once, one does it and the others wait. */
export async function migrate(target: Target): Promise<Ground> {
  const client = new pg.Client({ ...target.config, statement_timeout: MIGRATION_MS, query_timeout: MIGRATION_MS });
  client.on('error', () => {});
  try {
    await client.connect();
    await prepareSession(client, target.schema);
    await client.query('BEGIN');
    await client.query(`SELECT pg_advisory_xact_lock(x'6864646c'::int, hashtext($1))`, [target.schema]);
    const version = await versionOf(client, target);
    for (const [index, migration] of postgresMigrations.entries()) {
      if (index < version) continue;
      await client.query(migration);
      await client.query('INSERT INTO heddle_migrations VALUES ($1)', [index + 1]);
    }
    await client.query('COMMIT');
    return await groundOf(client);
  } catch (error) {
    throw explain(error, target.place);
  } finally {
    await client.end().catch(() => {});
  }
}

async function versionOf(client: pg.Client, { schema, place }: Target): Promise<number> {
  const { rows } = await client.query<{ encoding: string; present: boolean; ours: boolean; tables: number }>(
    `SELECT current_setting('server_encoding') AS encoding,
       to_regnamespace($1) IS NOT NULL AS present,
       to_regclass($1 || '.heddle_migrations') IS NOT NULL AS ours,
       (SELECT count(*) FROM pg_class WHERE relnamespace = to_regnamespace($1)) AS tables`,
    [schema],
  );
  const found = rows[0] as (typeof rows)[number];
  if (found.encoding !== 'UTF8') {
    throw new StoreUnavailable(
      `The database at ${place} has the encoding ${found.encoding}. Make one with UTF-8: CREATE DATABASE heddle ENCODING 'UTF8' TEMPLATE template0.`,
    );
  }
  if (found.tables > 0 && !found.ours) {
    throw new StoreUnavailable(
      `${place} holds tables of another program. Name another schema in the URL with ?schema=NAME.`,
    );
  }
  if (!found.present) await client.query(`CREATE SCHEMA "${schema}"`);
  if (!found.ours) {
    await client.query(
      'CREATE TABLE heddle_migrations (version integer PRIMARY KEY, at timestamptz NOT NULL DEFAULT clock_timestamp())',
    );
  }
  const version = (await client.query('SELECT coalesce(max(version), 0) AS version FROM heddle_migrations')).rows[0]
    .version as number;
  if (version > postgresMigrations.length) {
    throw new StoreUnavailable(
      `${place} was written by a newer Heddle (database version ${version}; this one knows up to ${postgresMigrations.length}). Update Heddle, or name another schema with ?schema=NAME.`,
    );
  }
  return version;
}

/** Own message: the parser's would repeat the URL, password and all (L17). */
function parse(url: string): URL {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (!parsed || !/^postgres(ql)?:$/.test(parsed.protocol)) {
    throw new StoreUnavailable(
      'The database URL cannot be read. It looks like postgres://user:password@host:5432/database, with special characters in the password written as %XX.',
    );
  }
  return parsed;
}
