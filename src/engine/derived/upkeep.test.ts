import { afterEach, expect, test } from 'vitest';
import { createThread, sendOrThrow } from '../../../test/support/servers/engine-access.ts';
import { freshPostgres } from '../../../test/support/stores/postgres-url.ts';
import { workspace } from '../../core/workspace.ts';
import type { EventLog } from '../../log/event-log.ts';
import { openMemoryLog } from '../../log/memory/memory-log.ts';
import { openPostgresLog } from '../../log/postgres/postgres-log.ts';
import { ROWS_MARK, THREAD_INDEX } from '../../log/record-kinds.ts';
import { createEngine, type Engine } from '../engine.ts';
import { rebuildAll } from './rebuild.ts';
import { readRowsMark } from './rows.ts';
import { createRowsUpkeep } from './upkeep.ts';

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function open(log: EventLog): Promise<Engine> {
  const engine = await createEngine({ log });
  closing.push(engine.close);
  return engine;
}

/** So many threads, with a draft in each, which rows tell of. */
async function openWithThreads(log: EventLog, count: number): Promise<Engine> {
  const engine = await open(log);
  for (let i = 0; i < count; i++) {
    const thread = await createThread(engine, { title: `T${i}`, kind: 'conversation' });
    await sendOrThrow(engine, 'draft', { thread, text: 'Roses.' });
  }
  return engine;
}

const rowsOf = (log: EventLog) => log.records(THREAD_INDEX);

/** As a version left them that did not tell what threads want. */
async function outdate(log: EventLog): Promise<void> {
  const old = (await rowsOf(log)).map(({ key, value }) => ({ key, value: value.replace(/,"wants":.*$/, '}') }));
  await log.replaceRecords(THREAD_INDEX, old);
  await log.replaceRecords(ROWS_MARK, [{ key: THREAD_INDEX, value: JSON.stringify({ version: 1 }) }]);
}

function upkeepOf(log: EventLog, holder: string) {
  const parts = { log, fold: workspace, holder };
  return createRowsUpkeep({ ...parts, report: (error) => expect.unreachable(String(error)) });
}

test('[L14] rows from an earlier version are rebuilt once when a workspace is opened', async () => {
  const log = openMemoryLog();
  const engine = await openWithThreads(log, 3);
  const live = await rowsOf(log);
  await outdate(log);
  expect((await engine.index())[0]).not.toHaveProperty('wants');
  await engine.updateRows();
  expect(await rowsOf(log)).toEqual(live);
  const { commits } = log.counts;
  await engine.updateRows();
  expect(log.counts.commits).toBe(commits);
});

test('[L14] a row whose thread changes meanwhile is rebuilt from the current thread', async () => {
  const log = openMemoryLog();
  const engine = await openWithThreads(log, 2);
  const [first, second] = (await rowsOf(log)).map(({ key }) => key) as [string, string];
  await outdate(log);
  let isFirst = true;
  const slow: EventLog = {
    ...log,
    async append(batch) {
      if (isFirst && batch.some(({ records }) => records?.some(({ key }) => key === first))) {
        isFirst = false;
        await sendOrThrow(engine, 'draft', { thread: first, text: 'Peas.' });
        // Changes nothing that a row tells: whoever says it does not write the row.
        await sendOrThrow(engine, 'post', { thread: second, type: 'message', content: 'Beans.' });
      }
      return log.append(batch);
    },
  };
  await upkeepOf(slow, 'one').updateOnOpen();
  expect(isFirst).toBe(false);
  expect(await engine.index()).toMatchObject([
    { wants: { drafts: { count: 2 } } },
    { wants: { drafts: { count: 1 } } },
  ]);
  expect(await rebuildAll(log)).toMatchObject({ mended: 0 });
});

test('[L14] an interrupted rebuild continues where it stopped', async () => {
  const log = openMemoryLog();
  await openWithThreads(log, 300);
  const live = await rowsOf(log);
  await outdate(log);
  const first = upkeepOf(log, 'one');
  const reports: unknown[] = [];
  await new Promise<void>((ended) =>
    first.start((...far) => {
      reports.push(far);
      void first.close().then(ended);
    }),
  );
  expect(reports).toEqual([[256, 300]]);
  expect(await readRowsMark(log)).toEqual({ version: workspace.version, after: live[255]?.key });
  expect(await rowsOf(log)).not.toEqual(live);
  const second = upkeepOf(log, 'two');
  await new Promise<void>((ended) => second.start((...far) => reports.push(far), ended));
  expect(reports).toEqual([
    [256, 300],
    [44, 44],
  ]);
  expect(await rowsOf(log)).toEqual(live);
  expect(await readRowsMark(log)).toEqual({ version: workspace.version });
});

test('[L14] [L19] only one of two servers on PostgreSQL rebuilds the rows', async () => {
  const url = await freshPostgres();
  const [one, other] = [await openPostgresLog(url), await openPostgresLog(url)];
  closing.push(one.close, other.close);
  await openWithThreads(one, 5);
  const live = await rowsOf(one);
  await outdate(one);
  const reports: unknown[] = [];
  const servers = [upkeepOf(one, 'one'), upkeepOf(other, 'other')];
  for (const server of servers) closing.push(server.close);
  for (const server of servers) server.start((...far) => reports.push(far));
  await expect.poll(() => readRowsMark(one)).toEqual({ version: workspace.version });
  expect(reports).toEqual([[5, 5]]);
  expect(await rowsOf(other)).toEqual(live);
});
