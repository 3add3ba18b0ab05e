import pg from 'pg';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { lossyProxy } from '../../../test/support/servers/lossy-proxy.ts';
import { freshPostgres } from '../../../test/support/stores/postgres-url.ts';
import { commandFor, entry, statuses } from '../contract/support.ts';
import { type EventLog, NoSpace, StoreUnavailable } from '../event-log.ts';
import { postgresMigrations } from '../migrations/postgres.ts';
import { openPostgresLog } from './postgres-log.ts';

describe('several servers', () => {
  test('[L19] a server is notified of another’s appends and announcements, not of its own', async () => {
    const url = await freshPostgres();
    const [one, two] = [await open(url), await open(url)];
    const [heardByOne, heardByTwo] = [listenTo(one), listenTo(two)];
    await one.append([entry('a')]);
    await one.announce('ann is typing 🙂 …');
    await two.announce('');
    await vi.waitFor(() => expect(heardByTwo).toEqual(['appended', 'announced: ann is typing 🙂 …']));
    await vi.waitFor(() => expect(heardByOne).toEqual(['announced: ']));
  });

  test('[L19] a refused append notifies nobody, and two workspaces in one database do not notify each other', async () => {
    const url = await freshPostgres();
    const [one, two, stranger] = [await open(url), await open(url), await open(await freshPostgres())];
    const [heard, elsewhere] = [listenTo(two), listenTo(stranger)];
    await one.append([entry('a', 7), entry('b', 1)]);
    await one.announce('end');
    await vi.waitFor(() => expect(heard).toEqual(['announced: end']));
    await stranger.append([entry('a')]);
    expect(elsewhere).toEqual([]);
  });

  test('[L19] a listener that loses its connection reconnects and checks the log', async () => {
    const url = await freshPostgres();
    const log = await open(url);
    const notices = listenTo(log);
    await cutConnections(url);
    await vi.waitFor(() => expect(notices).toEqual(['appended']), 10_000);
    await (await open(url)).append([entry('a')]);
    await vi.waitFor(() => expect(notices).toEqual(['appended', 'appended']));
  });

  test('[L4] an announcement that is too long for PostgreSQL is refused with the limit', async () => {
    const url = await freshPostgres();
    const [one, two] = [await open(url), await open(url)];
    const notices = listenTo(two);
    const limit = 7990;
    await one.announce('é'.repeat(limit / 2));
    await vi.waitFor(() => expect(notices).toHaveLength(1));
    await expect(one.announce('é'.repeat(limit / 2 + 1))).rejects.toThrow(/7992 bytes.*at most 7990/);
  });

  test('[L18] servers that start at once on an empty database set it up once', async () => {
    const url = await freshPostgres();
    const logs = await Promise.all(Array.from({ length: 6 }, () => open(url)));
    expect(await admin(url, 'SELECT version FROM heddle_migrations')).toEqual(
      postgresMigrations.map((_, i) => ({ version: i + 1 })),
    );
    const outcomes = await Promise.all(logs.map((log, i) => log.append([entry(`t${i}`)])));
    expect(
      outcomes
        .flat()
        .map((outcome) => 'position' in outcome && outcome.position)
        .sort(),
    ).toEqual([1, 2, 3, 4, 5, 6]);
  });

  test('[L10] with commits of random duration, no tail skips an event or sees one out of order', async () => {
    const url = await freshPostgres();
    const writers = await Promise.all(Array.from({ length: 6 }, () => open(url)));
    await admin(
      url,
      `CREATE FUNCTION dawdle() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(random() * 0.004); RETURN NULL; END $$;
       CREATE CONSTRAINT TRIGGER dawdle AFTER INSERT ON events DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION dawdle()`,
    );
    const all = Array.from({ length: 6 * 20 }, (_, i) => i + 1);
    const tails = [await open(url), await open(url)].map((log) => tailUntil(log, all.length));
    await Promise.all(
      writers.map(async (log, w) => {
        for (let seq = 0; seq < 20; seq++) await log.append([entry(`w${w}`, seq)]);
      }),
    );
    for (const tail of tails) expect(await tail).toEqual(all);
  });

  test('[L19] a lease cannot change hands between the check of an append and its commit', async () => {
    const url = await freshPostgres();
    const log = await open(url);
    const lease = (await log.lease('mind', 'one', 60_000))!;
    const slow = await connect(url);
    for (const [i, sql] of ['SELECT append_batch($1, $2, $3)', appendedAsColumns].entries()) {
      await slow.query('BEGIN');
      const values = i === 0 ? ['c', 'o', JSON.stringify([entry(`t${i}`, 0, 1, { lease })])] : ['mind', lease.fence];
      await slow.query(sql, values);
      const renewed = log.lease('mind', 'one', 60_000).then(() => 'renewed');
      await vi.waitFor(async () => expect(await countWaiting(url)).toBe(1));
      expect(await Promise.race([renewed, 'waits'])).toBe('waits');
      await slow.query('COMMIT');
      expect(await renewed).toBe('renewed');
    }
  });
});

describe('lost connections', () => {
  test('[L7] a commit whose answer was lost is not reported as failed, and a retry gets the first answer', async () => {
    const direct = new URL(await freshPostgres());
    const proxy = await lossyProxy(direct.hostname, Number(direct.port));
    onTestFinished(() => proxy.close());
    const through = new URL(direct);
    through.port = String(proxy.port);
    const log = await open(through.href);
    const once = entry('a', 0, 2, { command: commandFor('c1') });
    await log.append([entry('z')]);
    proxy.loseNextAnswer();
    const failure = await log.append([once]).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(StoreUnavailable);
    expect(String(failure)).toMatch(/cannot tell whether it was stored.*same command ID/);
    proxy.heal();
    expect(await log.append([once])).toEqual([
      { status: 'repeated', earlier: { digest: 'digest of c1', position: 2, count: 2 } },
    ]);
    expect(await log.head()).toBe(3);
  });

  test('[L8] an append that is cut off before its commit stores nothing, and the next one reconnects', async () => {
    const url = await freshPostgres();
    const log = await open(url);
    const blocker = await connect(url);
    await blocker.query('BEGIN');
    await blocker.query('SELECT lock_workspace()');
    const failure = log.append([entry('a')]).catch((error: unknown) => error);
    await vi.waitFor(async () => expect(await countWaiting(url)).toBe(1));
    await cutConnections(url);
    expect(await failure).toBeInstanceOf(StoreUnavailable);
    await blocker.query('ROLLBACK');
    expect(await log.head()).toBe(0);
    expect(await log.append([entry('a')])).toEqual([{ status: 'committed', position: 1 }]);
  });

  test('[L10] while one server commits, another waits, so that positions follow commit order', async () => {
    const url = await freshPostgres();
    const log = await open(url);
    const slow = await connect(url);
    await slow.query('BEGIN');
    await slow.query('SELECT append_batch($1, $2, $3)', ['c', 'o', JSON.stringify([entry('slow', 0, 2)])]);
    const appended = log.append([entry('fast')]);
    await vi.waitFor(async () => expect(await countWaiting(url)).toBe(1));
    expect(await log.readAll(0, 10)).toEqual([]);
    await slow.query('COMMIT');
    expect(await appended).toEqual([{ status: 'committed', position: 3 }]);
  });
});

describe('refusing to open', () => {
  test('[L16] a database of a newer version is refused with both versions named', async () => {
    const url = await freshPostgres();
    await (await openPostgresLog(url)).close();
    await admin(url, 'INSERT INTO heddle_migrations VALUES (99)');
    await expect(openPostgresLog(url)).rejects.toThrow(
      /newer Heddle \(database version 99; this one supports up to 4\)/,
    );
  });

  test('[L16] a schema with tables of another program is left alone', async () => {
    const url = await freshPostgres();
    const schema = schemaOf(url);
    await admin(url, `CREATE SCHEMA ${schema}; CREATE TABLE ${schema}.events (theirs text)`);
    await expect(openPostgresLog(url)).rejects.toThrow(/tables of another program.*\?schema=NAME/);
  });

  test('[L16] a database that is not UTF-8 is refused with what to do', async () => {
    const url = new URL(await freshPostgres());
    await admin(url.href, `CREATE DATABASE latin ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0`);
    url.pathname = '/latin';
    await expect(openPostgresLog(url.href)).rejects.toThrow(/encoding LATIN1.*CREATE DATABASE/);
    url.pathname = '/postgres';
    await admin(url.href, 'DROP DATABASE latin WITH (FORCE)');
  });

  test('[L17] no refusal shows the password', async () => {
    const url = new URL(await freshPostgres());
    url.password = 'hunter2-secret';
    const unreachable = new URL(url);
    unreachable.port = '1';
    const unknownHost = new URL(url);
    unknownHost.hostname = 'nowhere.invalid';
    const badSchema = `${url.href.split('?')[0]}?schema=Bad;Name`;
    const urls = [
      url,
      unreachable,
      unknownHost,
      badSchema,
      'postgres://me:hunter2-secret@ho st:x/y',
      'mysql://me:hunter2-secret@host/y',
    ];
    for (const one of urls) {
      const failure = await openPostgresLog(String(one)).catch((error: unknown) => error);
      expect(failure, String(one)).toBeInstanceOf(StoreUnavailable);
      expect(JSON.stringify(failure, Object.getOwnPropertyNames(failure)) + inspectAll(failure)).not.toContain(
        'hunter2',
      );
    }
  });
});

test('[L16] a full disk is reported clearly, reading continues, and writing resumes when there is room', async () => {
  const url = await freshPostgres();
  const log = await open(url);
  await log.append([entry('a')]);
  await admin(
    url,
    `CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS $$
     BEGIN RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = 'disk_full'; END $$;
     CREATE TRIGGER full_disk BEFORE INSERT ON events EXECUTE FUNCTION full_disk()`,
  );
  const failure = await log.append([entry('a', 1)]).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(NoSpace);
  expect(String(failure)).toMatch(/disk.*full.*nothing was stored/i);
  expect(await log.readAll(0, 10)).toHaveLength(1);
  await admin(url, 'DROP TRIGGER full_disk ON events');
  expect(statuses(await log.append([entry('a', 1)]))).toEqual(['committed']);
});

test('[L8] a commit waits for the disk even if the server’s default is not to', async () => {
  const url = `${await freshPostgres()}&options=${encodeURIComponent('-c synchronous_commit=off')}`;
  const log = await open(url);
  await admin(
    url,
    `CREATE TABLE seen (setting text);
     CREATE FUNCTION look() RETURNS trigger LANGUAGE plpgsql AS $$
     BEGIN INSERT INTO seen VALUES (current_setting('synchronous_commit')); RETURN NULL; END $$;
     CREATE TRIGGER look AFTER INSERT ON events EXECUTE FUNCTION look()`,
  );
  await log.append([entry('a')]);
  expect(await admin(url, 'SELECT setting FROM seen')).toEqual([{ setting: 'on' }]);
});

/** The same append as `append_columns` takes it, with only the lease to look at. */
const appendedAsColumns = `SELECT append_columns('c', 'o', '{}', '{}', '{}', '{}', '{}', ARRAY[$1], ARRAY[$2::bigint],
  '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}')`;

async function open(url: string): Promise<EventLog> {
  const log = await openPostgresLog(`${url}&application_name=${schemaOf(url)}`);
  onTestFinished(() => log.close().catch(() => {}));
  return log;
}

/** Positions as a tail sees them that reads on whenever it is woken. */
async function tailUntil(log: EventLog, last: number): Promise<number[]> {
  const seen: number[] = [];
  let wake = () => {};
  log.listen({ onAppend: () => wake(), onAnnouncement: () => {} });
  while ((seen.at(-1) ?? 0) < last) {
    const notified = new Promise<void>((resolve) => {
      wake = resolve;
    });
    const events = await log.readAll(seen.at(-1) ?? 0, 10);
    for (const { position } of events) seen.push(position);
    if (events.length === 0) await notified;
  }
  return seen;
}

function listenTo(log: EventLog): string[] {
  const notices: string[] = [];
  log.listen({
    onAppend: () => notices.push('appended'),
    onAnnouncement: (text) => notices.push(`announced: ${text}`),
  });
  return notices;
}

function schemaOf(url: string): string {
  return new URL(url).searchParams.get('schema') ?? '';
}

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client(url);
  client.on('error', () => {});
  await client.connect();
  await client.query(`SET search_path TO ${schemaOf(url)}`);
  onTestFinished(() => client.end().catch(() => {}));
  return client;
}

async function admin(url: string, sql: string): Promise<unknown[]> {
  return (await (await connect(url)).query(sql)).rows;
}

/** How many of a workspace's sessions wait for a lock. */
async function countWaiting(url: string): Promise<number> {
  const named = `application_name = '${schemaOf(url)}'`;
  return (await admin(url, `SELECT 1 FROM pg_stat_activity WHERE ${named} AND wait_event_type = 'Lock'`)).length;
}

function cutConnections(url: string): Promise<unknown> {
  return admin(
    url,
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = '${schemaOf(url)}'`,
  );
}

function inspectAll(error: unknown): string {
  return error instanceof Error ? `${error.stack} ${String(error.cause)}` : String(error);
}
