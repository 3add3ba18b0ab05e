import { workspace } from '../../core/workspace.ts';
import type { EventLog } from '../../log/event-log.ts';
import { THREAD_INDEX } from '../../log/record-kinds.ts';
import type { WireRebuildResult } from '../../protocol/wire.ts';
import { rebuildIndex } from '../search/index-writer.ts';
import { makeRows, markRecord } from './rows.ts';

type OnRebuildProgress = (events: number, total: number) => void;
const PAGE = 1000;

/** Rebuilds all derived data from the log: its rows and its search index (L14). */
export async function rebuildAll(log: EventLog, onProgress: OnRebuildProgress = () => {}): Promise<WireRebuildResult> {
  await log.dropSnapshots();
  const events = await log.head();
  const threads = await threadsOf(log, events, onProgress);
  const rows = (await log.records(THREAD_INDEX)).map(({ key }) => key);
  const mended = await makeRows([...new Set([...threads, ...rows])].sort(), { log, fold: workspace });
  await log.putRecords([markRecord({ version: workspace.version })]);
  await rebuildIndex(log, onProgress);
  return { threads: threads.size, events, mended };
}

/** Read from the events themselves, because a row may be missing. */
async function threadsOf(log: EventLog, total: number, onProgress: OnRebuildProgress): Promise<ReadonlySet<string>> {
  const threads = new Set<string>();
  for (let position = 0; ; position += PAGE) {
    const rows = await log.readAll(position, PAGE);
    for (const row of rows) threads.add(row.thread);
    onProgress(Math.min(position + rows.length, total), total);
    if (rows.length < PAGE) return threads;
  }
}
