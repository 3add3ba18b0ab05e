import pg from 'pg';
import { StoreUnavailable } from '../event-log.ts';
import { postgresMigrations } from '../migrations/postgres.ts';
import { explainError } from './errors.ts';
import { readTableIdentity, type TableIdentity } from './table-identity.ts';

export interface PostgresTarget {
  readonly config: pg.ClientConfig;
  readonly schema: string;
  /** The server's address, without user and password. */
  readonly location: string;
}

const INT8 = 20;
const CONNECT_MS = 10_000;
const STATEMENT_MS = 30_000;
/** A migration may read every event in the log. */
const MIGRATION_MS = 30 * 60_000;

/** `postgres://user:password@host/database?schema=name`; without a schema it is `heddle`. */
export function parseTarget(url: string): PostgresTarget {
  const parsedUrl = parseUrl(url);
  const schema = parsedUrl.searchParams.get('schema') ?? 'heddle';
  if (!/^[a-z_][a-z0-9_]{0,62}$/.test(schema)) {
    throw new StoreUnavailable(
      'The schema in the database URL may contain only lower-case letters, digits and _, at most 63, and must not start with a digit.',
    );
  }
  parsedUrl.searchParams.delete('schema');
  return {
    schema,
    location: `${parsedUrl.host || 'localhost'}${parsedUrl.pathname} (schema ${schema})`,
    config: {
      connectionString: parsedUrl.href,
      application_name: parsedUrl.searchParams.get('application_name') ?? 'heddle',
      connectionTimeoutMillis: CONNECT_MS,
      ...timeoutsOf(STATEMENT_MS),
      keepAlive: true,
      types: {
        getTypeParser: (oid, format) => (oid === INT8 ? Number : pg.types.getTypeParser(oid, format)) as never,
      },
    },
  };
}

/**
 * Every query here walks an index, so the planner must not rely on the statistics of a young table. An acknowledged
 * commit is on the disk (L8), whatever the server's default is.
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

/** Runs work on a connection of its own, which is closed afterwards. */
export async function withClient<T>(
  { config, schema, location }: PostgresTarget,
  work: (client: pg.Client) => Promise<T>,
  timeoutMs = STATEMENT_MS,
): Promise<T> {
  const client = new pg.Client({ ...config, ...timeoutsOf(timeoutMs) });
  client.on('error', () => {});
  try {
    await client.connect();
    await prepareSession(client, schema);
    return await work(client);
  } catch (error) {
    throw explainError(error, location);
  } finally {
    await client.end().catch(() => {});
  }
}

/** Brings the schema up to date. If several servers start at once, one migrates and the others wait. */
export function migrate(target: PostgresTarget): Promise<TableIdentity> {
  return withClient(
    target,
    async (client) => {
      await client.query('BEGIN');
      await client.query(`SELECT pg_advisory_xact_lock(x'6864646c'::int, hashtext($1))`, [target.schema]);
      const version = await prepareSchema(client, target);
      for (const [index, migration] of postgresMigrations.entries()) {
        if (index < version) continue;
        await client.query(migration);
        await client.query('INSERT INTO heddle_migrations VALUES ($1)', [index + 1]);
      }
      await client.query('COMMIT');
      return readTableIdentity(client);
    },
    MIGRATION_MS,
  );
}

async function prepareSchema(client: pg.Client, { schema, location }: PostgresTarget): Promise<number> {
  const { rows } = await client.query<{ encoding: string; present: boolean; ours: boolean; tables: number }>(
    `SELECT current_setting('server_encoding') AS encoding,
       to_regnamespace($1) IS NOT NULL AS present,
       to_regclass($1 || '.heddle_migrations') IS NOT NULL AS ours,
       (SELECT count(*) FROM pg_class WHERE relnamespace = to_regnamespace($1)) AS tables`,
    [schema],
  );
  const schemaRow = rows[0] as (typeof rows)[number];
  if (schemaRow.encoding !== 'UTF8') {
    throw new StoreUnavailable(
      `The database at ${location} has the encoding ${schemaRow.encoding}. Create one with UTF-8: CREATE DATABASE heddle ENCODING 'UTF8' TEMPLATE template0.`,
    );
  }
  if (schemaRow.tables > 0 && !schemaRow.ours) {
    throw new StoreUnavailable(
      `${location} contains tables of another program. Name another schema in the URL with ?schema=NAME.`,
    );
  }
  if (!schemaRow.present) await client.query(`CREATE SCHEMA "${schema}"`);
  if (!schemaRow.ours) {
    await client.query(
      'CREATE TABLE heddle_migrations (version integer PRIMARY KEY, at timestamptz NOT NULL DEFAULT clock_timestamp())',
    );
  }
  const version = (await client.query('SELECT coalesce(max(version), 0) AS version FROM heddle_migrations')).rows[0]
    .version as number;
  if (version > postgresMigrations.length) {
    throw new StoreUnavailable(
      `${location} was written by a newer Heddle (database version ${version}; this one supports up to ${postgresMigrations.length}). Update Heddle, or name another schema with ?schema=NAME.`,
    );
  }
  return version;
}

/** The server times out first; the second limit covers a server that disappeared silently. 0 means never. */
function timeoutsOf(ms: number) {
  return { statement_timeout: ms, query_timeout: ms && ms + 5000 };
}

/** Uses its own message, because the parser's would repeat the URL with its password (L17). */
function parseUrl(url: string): URL {
  const parsedUrl = URL.canParse(url) ? new URL(url) : undefined;
  if (!parsedUrl || !/^postgres(ql)?:$/.test(parsedUrl.protocol)) {
    throw new StoreUnavailable(
      'The database URL cannot be read. It looks like postgres://user:password@host:5432/database, with special characters in the password written as %XX.',
    );
  }
  return parsedUrl;
}
