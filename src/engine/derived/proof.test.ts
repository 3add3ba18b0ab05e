import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { describe, expect, onTestFinished, test } from 'vitest';
import { human } from '../../../test/support/domain/given.ts';
import { freshPostgres } from '../../../test/support/stores/postgres-url.ts';
import { canonicalJson } from '../../core/events/canonical.ts';
import { isRefusal } from '../../core/refusal.ts';
import type { Command } from '../../core/workspace.ts';
import { describeFailure } from '../../formats/verify/chain.ts';
import { createBlobs } from '../../log/blobs.ts';
import { type EventLog, eventOf, type StoredEvent } from '../../log/event-log.ts';
import { parseTarget } from '../../log/postgres/connection.ts';
import { openPostgresLog } from '../../log/postgres/postgres-log.ts';
import { GENESIS, linkHash, seal } from '../../log/seal.ts';
import { openSqliteLog } from '../../log/sqlite/sqlite-log.ts';
import { createEngine } from '../engine.ts';
import { proveLog } from './proof.ts';

/** What somebody can do who has the database in their hands, but not Heddle. */
type Forge = (
  sql: (text: string, ...values: (string | number | Uint8Array)[]) => Promise<unknown>,
  at: ForgeryPlaces,
) => Promise<unknown>;

interface ForgeryPlaces {
  readonly main: string;
  readonly other: string;
  readonly fork: string;
  readonly blob: string;
  readonly rows: readonly StoredEvent[];
  readonly lastOf: (thread: string) => StoredEvent;
}

/** A body with another text in it, as someone would write it who knows the format. */
const forgeContent = (row: StoredEvent) => canonicalJson({ ...JSON.parse(row.body), content: 'forged' });

const forgeries: Readonly<Record<string, readonly [Forge, RegExp]>> = {
  'a text changed': [
    (sql, { rows }) => sql('UPDATE events SET body = $1 WHERE position = 3', forgeContent(rows[2]!)),
    /does not link to the event before it/,
  ],
  'a text changed with its own hash': [
    (sql, { rows }) => {
      const body = forgeContent(rows[2]!);
      return sql('UPDATE events SET body = $1, hash = $2 WHERE position = 3', body, linkHash(rows[1]!.hash, body));
    },
    /does not link to the event before it/,
  ],
  'a thread hashed anew from a changed text on': [
    async (sql, { rows, other }) => {
      let previous = GENESIS;
      for (const row of rows.filter(({ thread }) => thread === other)) {
        const body = row.seq === 2 ? forgeContent(row) : row.body;
        previous = linkHash(previous, body);
        await sql('UPDATE events SET body = $1, hash = $2 WHERE position = $3', body, previous, row.position);
      }
    },
    /of the workspace.*(moved|replaced)/,
  ],
  'a time changed': [
    (sql, { rows }) =>
      sql(
        'UPDATE events SET body = $1 WHERE position = 4',
        canonicalJson({ ...JSON.parse(rows[3]!.body), ts: '2001-01-01T00:00:00.000Z' }),
      ),
    /does not link to the event before it/,
  ],
  'an author changed in the last message of a thread': [
    (sql, { lastOf, other }) => {
      const row = lastOf(other);
      return sql(
        'UPDATE events SET body = $1 WHERE position = $2',
        canonicalJson({ ...JSON.parse(row.body), from: 'mallory' }),
        row.position,
      );
    },
    /does not link to the event before it/,
  ],
  'an event taken out of the middle': [
    (sql) => sql('DELETE FROM events WHERE position = 3'),
    /events were removed|is missing/,
  ],
  'the last event taken away': [
    (sql, { rows }) => sql('DELETE FROM events WHERE position = $1', rows.length),
    /is the last one, but there were \d+ in the workspace/,
  ],
  'the end of a thread taken out and the rest moved up': [
    async (sql, { lastOf, fork, rows }) => {
      const { position } = lastOf(fork);
      await sql('DELETE FROM events WHERE position = $1', position);
      for (let at = position + 1; at <= rows.length; at++) {
        await sql('UPDATE events SET position = $1 WHERE position = $2', at - 1, at);
      }
    },
    /of the workspace/,
  ],
  'two events of different threads swapped in order': [
    async (sql, { rows, main, other }) => {
      const [a, b] = [main, other].map((thread) => rows.filter((row) => row.thread === thread)[2] as StoredEvent) as [
        StoredEvent,
        StoredEvent,
      ];
      await sql('UPDATE events SET position = 999 WHERE position = $1', a.position);
      await sql('UPDATE events SET position = $1 WHERE position = $2', a.position, b.position);
      await sql('UPDATE events SET position = $1 WHERE position = 999', b.position);
    },
    /of the workspace|is missing|there are two/,
  ],
  'two threads given each other’s events': [
    async (sql, { main, other }) => {
      await sql('UPDATE events SET thread = $1 WHERE thread = $2', 'x', main);
      await sql('UPDATE events SET thread = $1 WHERE thread = $2', main, other);
      await sql('UPDATE events SET thread = $1 WHERE thread = $2', other, 'x');
    },
    /stands where its text says/,
  ],
  'an event put in at the end': [
    (sql, { lastOf, other, rows }) => {
      const last = lastOf(other);
      const forged = seal(last.hash, { ...eventOf(last), hash: undefined, id: 'forged', seq: last.seq + 1 } as never);
      return sql(
        'INSERT INTO events VALUES ($1, $2, $3, $4, $5, $6)',
        rows.length + 1,
        'forged',
        other,
        last.seq + 1,
        forged.hash,
        forged.body,
      );
    },
    /put into the log/,
  ],
  'a fork pointed at another event': [
    (sql, { fork }) => sql('UPDATE forks SET seq = 1 WHERE thread = $1', fork),
    /but is kept as a fork from event 1/,
  ],
  'a fork pointed at another thread': [
    (sql, { fork, other }) => sql('UPDATE forks SET parent = $1 WHERE thread = $2', other, fork),
    /but is kept as a fork from|does not link/,
  ],
  'a fork forgotten': [(sql, { fork }) => sql('DELETE FROM forks WHERE thread = $1', fork), /is not kept as a fork/],
  'a thread made a fork': [
    (sql, { main, other }) => sql('INSERT INTO forks VALUES ($1, $2, 1)', other, main),
    /no event of it says so/,
  ],
  'a blob replaced': [
    (sql, { blob }) => sql('UPDATE blobs SET body = $1 WHERE hash = $2', new Uint8Array([1, 2, 3]), blob),
    /whose content does not match its hash/,
  ],
  'a blob taken away': [(sql, { blob }) => sql('DELETE FROM blobs WHERE hash = $1', blob), /which is missing/],
  'a row of the list of threads changed': [
    (sql, { main }) => sql(`UPDATE records SET value = replace(value, 'Plans', 'Pranks') WHERE key = $1`, main),
    /has a list entry that does not match its events/,
  ],
  'a row of the list of threads taken away': [
    (sql, { main }) => sql(`DELETE FROM records WHERE kind = 'thread' AND key = $1`, main),
    /has a list entry that does not match its events/,
  ],
  'a thread listed that is none': [
    (sql) => sql(`INSERT INTO records VALUES ('thread', 'nowhere', '{}')`),
    /is listed but has no events/,
  ],
  'a snapshot changed': [
    (sql) => sql(`UPDATE snapshots SET body = replace(body, 'Plans', 'Pranks')`),
    /has a snapshot that does not match its events/,
  ],
  'a mark of the order changed': [
    (sql) => sql('UPDATE order_marks SET hash = $1 WHERE position = (SELECT max(position) FROM order_marks)', GENESIS),
    /of the workspace/,
  ],
  'the marks of the order taken away': [(sql) => sql('DELETE FROM order_marks'), /outside of Heddle/],
};

/** A workspace on PostgreSQL takes a second to make, and what finds a forgery is the same: there, one of each table. */
const kinds = {
  SQLite: Object.keys(forgeries),
  PostgreSQL: [
    'two events of different threads swapped in order',
    'an event put in at the end',
    'a fork forgotten',
    'a blob replaced',
    'a row of the list of threads changed',
    'a snapshot changed',
    'a mark of the order changed',
  ],
};

describe.each(['SQLite', 'PostgreSQL'] as const)('a forged workspace on %s', (store) => {
  test(`[L24] verify finds and names ${kinds[store].length} kinds of forgery`, async () => {
    const found: Record<string, string> = {};
    for (const name of kinds[store]) {
      const [forge] = forgeries[name]!;
      const place = store === 'SQLite' ? onSqlite() : await onPostgres();
      const log = await place.open();
      const places = await fill(log);
      expect((await proveLog(log, undefined)).broken, `before "${name}"`).toBeUndefined();
      await log.close();
      await place.tamper((sql) => forge(sql, places));
      const after = await place.open();
      const { broken } = await proveLog(after, undefined);
      found[name] = broken ? describeFailure(broken) : 'nothing';
      await after.close();
    }
    for (const name of kinds[store]) expect(found[name], name).toMatch(forgeries[name]![1]);
  });

  test('[L24] an intact workspace is verified in full: order, forks, blobs, list and snapshots', async () => {
    const place = store === 'SQLite' ? onSqlite() : await onPostgres();
    const log = await place.open();
    const { main } = await fill(log);
    const [whole, thread] = [await proveLog(log, undefined), await proveLog(log, main)];
    expect(whole.broken).toBeUndefined();
    expect(whole.order).toMatch(/^[0-9a-f]{64}$/);
    expect(thread).toMatchObject({ head: (await log.lastOf(main))?.hash });
    expect(thread.order).toBeUndefined();
    await log.close();
  });
});

/** Two threads that went on in turn, a fork, a blob, and a thread long enough for a snapshot. */
async function fill(log: EventLog): Promise<ForgeryPlaces> {
  const engine = await createEngine({ log });
  await engine.updateRows();
  const send = async (command: Command): Promise<StoredEvent> => {
    const handled = await engine.handle(human, command);
    if (isRefusal(handled)) throw new Error(handled.refusal.message);
    return handled.events[0] as StoredEvent;
  };
  const create = async (title: string) =>
    (await send({ name: 'create', input: { title, kind: 'conversation', invite: [] } })).thread;
  const post = (thread: string, content: string) => send({ name: 'post', input: { thread, type: 'message', content } });
  const [main, other] = [await create('Plans'), await create('Other')];
  for (const text of ['one', 'two', 'three']) for (const thread of [main, other]) await post(thread, text);
  const { thread: fork } = await send({ name: 'fork', input: { thread: main, seq: 3 } });
  await post(fork, 'another way');
  const blob = await createBlobs(log, (text) => text).put('a long answer');
  const last = (await log.lastOf(other)) as StoredEvent;
  const { hash: _, ...before } = eventOf(last);
  const named = seal(last.hash, { ...before, id: 'named', seq: last.seq + 1, meta: { blobs: [blob] } });
  await log.append([{ expected: [{ thread: other, seq: last.seq }], events: [named] }]);
  const state = await engine.state(main);
  const { version } = (await import('../../core/workspace.ts')).workspace;
  await log.saveSnapshot({ thread: main, seq: state!.seq, version, body: JSON.stringify(state!.state) });
  await engine.close();
  const rows = await log.readAll(0, 1000);
  return {
    main,
    other,
    fork,
    blob,
    rows,
    lastOf: (thread) => rows.findLast((row) => row.thread === thread) as StoredEvent,
  };
}

type ForgerySql = Parameters<Forge>[0];

function onSqlite() {
  const directory = mkdtempSync(join(tmpdir(), 'heddle-forged-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const path = join(directory, 'heddle.db');
  return {
    open: async () => openSqliteLog(path),
    async tamper(work: (sql: ForgerySql) => Promise<unknown>) {
      const db = new DatabaseSync(path);
      await work(async (text, ...values) => db.prepare(text.replaceAll('$', '?')).run(...values));
      db.close();
    },
  };
}

async function onPostgres() {
  const url = await freshPostgres();
  return {
    open: () => openPostgresLog(url),
    async tamper(work: (sql: ForgerySql) => Promise<unknown>) {
      const { config, schema } = parseTarget(url);
      const client = new pg.Client(config);
      await client.connect();
      await client.query(`SET search_path TO "${schema}"`);
      await work((text, ...values) => client.query(text, values));
      await client.end();
    },
  };
}
