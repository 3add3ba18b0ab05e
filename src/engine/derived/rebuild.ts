import { workspace } from '../../core/workspace.ts';
import type { EventLog } from '../../log/event-log.ts';
import { THREAD_INDEX } from '../../log/record-kinds.ts';
import { rebuildIndex } from '../search/index-writer.ts';
import { makeRows, markWrite } from './rows.ts';

export interface Rebuilt {
  readonly threads: number;
  readonly events: number;
  /** Rows that were not as the log says. */
  readonly mended: number;
}

type Progress = (events: number, total: number) => void;
const PAGE = 1000;

/** Makes everything anew that is derived from the log: its rows, and the index of its words (L14). */
export async function rebuildAll(log: EventLog, progress: Progress = () => {}): Promise<Rebuilt> {
  await log.dropSnapshots();
  const events = await log.head();
  const threads = await threadsOf(log, events, progress);
  const rows = (await log.records(THREAD_INDEX)).map(({ key }) => key);
  const mended = await makeRows([...new Set([...threads, ...rows])].sort(), { log, fold: workspace });
  await log.putRecords([markWrite({ version: workspace.version })]);
  await rebuildIndex(log, progress);
  return { threads: threads.size, events, mended };
}

/** Asked of the events themselves: a row may be missing. */
async function threadsOf(log: EventLog, total: number, progress: Progress): Promise<ReadonlySet<string>> {
  const threads = new Set<string>();
  for (let position = 0; ; position += PAGE) {
    const rows = await log.readAll(position, PAGE);
    for (const row of rows) threads.add(row.thread);
    progress(Math.min(position + rows.length, total), total);
    if (rows.length < PAGE) return threads;
  }
}
