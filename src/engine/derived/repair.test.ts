import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { describe, expect, onTestFinished, test } from 'vitest';
import { human } from '../../../test/support/domain/given.ts';
import { damageFile, writeDamagedForks } from '../../../test/support/stores/damaged-forks.ts';
import { freshPostgres } from '../../../test/support/stores/postgres-url.ts';
import { planRepair } from '../../formats/verify/repair-plan.ts';
import { verifyLog } from '../../formats/verify/verify.ts';
import type { EventLog } from '../../log/event-log.ts';
import { parseTarget } from '../../log/postgres/connection.ts';
import { openPostgresLog } from '../../log/postgres/postgres-log.ts';
import { repairPostgres } from '../../log/postgres/repair.ts';
import type { LogRepair, RepairedLog } from '../../log/repair.ts';
import { repairSqlite } from '../../log/sqlite/repair.ts';
import { openSqliteLog } from '../../log/sqlite/sqlite-log.ts';
import { createEngine } from '../engine.ts';
import { proveLog } from './proof.ts';
import { finishRepair } from './repair.ts';

interface DamagePlace {
  open(): Promise<EventLog>;
  mend(repair: LogRepair, keepAt: string): Promise<RepairedLog>;
}

describe.each(['SQLite', 'PostgreSQL'])('a workspace that the fork fault damaged, on %s', (store) => {
  test('[L22] repair makes each fork name its original event and keeps the damaged copy', async () => {
    const directory = newDirectory();
    const place = store === 'SQLite' ? await damagedFile(directory) : await damagedSchema();
    const log = await place.open();
    expect((await verifyLog(log, undefined)).broken).toBeDefined();
    const before = await log.readAll(0, 1000);
    const plan = await planRepair(log);
    expect(plan.broken).toBeUndefined();
    expect(plan.forks.map(({ seq, said }) => said - seq)).toEqual([2, 1, 1]);
    const head = await log.head();
    await log.close();

    const keepAt = join(directory, 'damaged');
    const mended = await place.mend({ ...plan, records: [], head }, keepAt);
    expect((await finishRepair(mended.log, plan, {})).broken).toBeUndefined();
    expect(await mended.accept()).toBe(keepAt);
    expect(existsSync(keepAt)).toBe(true);
    if (store === 'PostgreSQL') await mended.log.close();

    const after = await place.open();
    expect((await proveLog(after, undefined)).broken).toBeUndefined();
    const rows = await after.readAll(0, 1000);
    expect(rows.map(({ id, seq, thread, position }) => ({ id, seq, thread, position }))).toEqual(
      before.map(({ id, seq, thread, position }) => ({ id, seq, thread, position })),
    );
    expect(rows.filter((row, i) => row.hash !== before[i]?.hash)).toHaveLength(plan.rewrites.length);
    expect(rows.filter((row, i) => row.body !== before[i]?.body)).toHaveLength(plan.forks.length);
    expect((await planRepair(after)).forks).toEqual([]);

    const engine = await createEngine({ log: after });
    const { thread } = plan.forks[0]!;
    expect((await engine.state(thread))?.state.thread.forkedFrom?.seq).toBe(plan.forks[0]?.seq);
    await engine.handle(human, { name: 'post', input: { thread, type: 'message', content: 'it goes on' } });
    await engine.close();
    expect((await proveLog(after, undefined)).broken).toBeUndefined();
    await after.close();
  });

  test('[L22] repair leaves other damage alone and reports where it is', async () => {
    const place = store === 'SQLite' ? await damagedFile(newDirectory(), 'changed') : await damagedSchema('changed');
    const log = await place.open();
    const plan = await planRepair(log);
    expect(plan.broken).toMatchObject({ why: expect.stringContaining('does not link to the event before it') });
    await log.close();
  });
});

test('[L22] a repair that is not confirmed leaves the file unchanged', async () => {
  const directory = newDirectory();
  const place = await damagedFile(directory);
  const log = await place.open();
  const plan = await planRepair(log);
  const before = await log.readAll(0, 1000);
  await log.close();
  const mended = await place.mend({ ...plan, records: [], head: before.length }, join(directory, 'damaged'));
  await mended.discard();
  const again = await place.open();
  expect(await again.readAll(0, 1000)).toEqual(before);
  await again.close();
  expect(existsSync(join(directory, 'damaged'))).toBe(false);
});

test('[L22] on PostgreSQL nothing is repaired if a server wrote meanwhile', async () => {
  const place = await damagedSchema();
  const log = await place.open();
  const plan = await planRepair(log);
  const before = await log.readAll(0, 1000);
  await log.close();
  const late = place.mend({ ...plan, records: [], head: before.length - 1 }, join(newDirectory(), 'damaged'));
  await expect(late).rejects.toThrow(/stop every server/);
  const again = await place.open();
  expect(await again.readAll(0, 1000)).toEqual(before);
  await again.close();
});

async function damagedFile(directory: string, changed?: 'changed'): Promise<DamagePlace> {
  const path = join(directory, 'heddle.db');
  await openSqliteLog(path).close();
  await damageFile(path, changed);
  return {
    open: async () => openSqliteLog(path),
    mend: (repair, keepAt) => repairSqlite(path, repair, keepAt),
  };
}

async function damagedSchema(changed?: 'changed'): Promise<DamagePlace> {
  const url = await freshPostgres();
  await (await openPostgresLog(url)).close();
  const { config, schema } = parseTarget(url);
  const client = new pg.Client(config);
  await client.connect();
  await client.query(`SET search_path TO "${schema}"`);
  await writeDamagedForks((text, values) => client.query(text, values), changed);
  await client.query('SELECT mark_order(0)');
  await client.end();
  return { open: () => openPostgresLog(url), mend: (repair, keepAt) => repairPostgres(url, repair, keepAt) };
}

function newDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'heddle-mend-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}
