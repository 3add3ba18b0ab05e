import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { freshPostgres } from '../../../test/support/stores/postgres-url.ts';
import { commandFor, entry, statuses } from '../contract/support.ts';
import { type EventLog, StoreUnavailable } from '../event-log.ts';
import { openPostgresLog } from './postgres-log.ts';

async function open(url: string): Promise<EventLog> {
  const log = await openPostgresLog(url);
  onTestFinished(() => log.close().catch(() => {}));
  return log;
}

async function admin(url: string, sql: string): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  await client.query(sql).finally(() => client.end());
}

const schemaOf = (url: string) => new URL(url).searchParams.get('schema') as string;

/** Each way an append and a write of rows go. */
function allWrites(log: EventLog) {
  return [
    () => log.append([entry('new')]),
    () =>
      log.append([
        entry('new', 0, 1, { command: commandFor('twice') }),
        entry('b', 0, 1, { command: commandFor('twice') }),
      ]),
    () => log.putRecords([{ kind: 'k', key: 'a', value: 'v' }]),
  ];
}

async function mustRefuse(log: EventLog) {
  for (const write of allWrites(log)) {
    const failure = await write().catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(StoreUnavailable);
    expect(String(failure)).toMatch(/were removed or replaced while Heddle was using them.*restart Heddle/);
  }
}

test('[L26] with its schema dropped, a running server acknowledges and reads nothing', async () => {
  const url = await freshPostgres();
  const log = await open(url);
  for (const write of allWrites(log)) await write().catch(() => {});
  await admin(url, `DROP SCHEMA ${schemaOf(url)} CASCADE`);
  await mustRefuse(log);
  await expect(log.readAll(0, 10)).rejects.toThrow(StoreUnavailable);
  await expect(log.lease('mind', 'one', 1000)).rejects.toThrow(StoreUnavailable);
});

test('[L26] a schema dropped and recreated by another server is not written to', async () => {
  const url = await freshPostgres();
  const log = await open(url);
  for (const write of allWrites(log)) await write().catch(() => {});
  await admin(url, `DROP SCHEMA ${schemaOf(url)} CASCADE`);
  const other = await open(url);
  await mustRefuse(log);
  expect(await other.head()).toBe(0);
  expect(await other.records('k')).toEqual([]);
  expect(statuses(await other.append([entry('a')]))).toEqual(['committed']);
});

test('[L26] a database that was dropped and recreated is not written to', async () => {
  const place = new URL(await freshPostgres());
  const name = `again_${schemaOf(place.href)}`;
  await admin(place.href, `CREATE DATABASE ${name} ENCODING 'UTF8' TEMPLATE template0`);
  onTestFinished(() => admin(place.href, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`));
  const url = new URL(place);
  url.pathname = `/${name}`;
  const log = await open(url.href);
  for (const write of allWrites(log)) await write().catch(() => {});
  await admin(place.href, `DROP DATABASE ${name} WITH (FORCE)`);
  for (const write of allWrites(log)) await expect(write()).rejects.toThrow(StoreUnavailable);
  await admin(place.href, `CREATE DATABASE ${name} ENCODING 'UTF8' TEMPLATE template0`);
  await mustRefuse(log);
  const other = await open(url.href);
  await mustRefuse(log);
  expect(await other.head()).toBe(0);
});

test('[L26] a schema that was renamed and renamed back works again', async () => {
  const url = await freshPostgres();
  const schema = schemaOf(url);
  const log = await open(url);
  await admin(url, `ALTER SCHEMA ${schema} RENAME TO ${schema}_away`);
  await mustRefuse(log);
  await admin(url, `ALTER SCHEMA ${schema}_away RENAME TO ${schema}`);
  expect(statuses(await log.append([entry('a')]))).toEqual(['committed']);
});
