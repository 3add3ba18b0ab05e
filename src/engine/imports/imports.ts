import type { Job } from '../../core/decider.ts';
import type { ThreadState } from '../../core/threads/state.ts';
import type { ThreadSummary } from '../../core/threads/view/schema.ts';
import {
  type ImportedRanges,
  lastImportedSeq,
  readAllImportedRanges,
  readImportedRanges,
} from '../../formats/import/imported-ranges.ts';
import { type EventLog, eventOf } from '../../log/event-log.ts';
import { THREAD_INDEX } from '../../log/record-kinds.ts';

export interface ImportedView {
  /** The newest imported event, including those of the threads it was forked from. */
  readonly up_to: number;
  /** Open work does not run until a human resumes the thread. */
  readonly waiting?: true;
}

type ImportPlace = Pick<ThreadSummary, 'id' | 'forked_from' | 'side_of' | 'resumed'>;
type ImportLookup = (thread: string) => Promise<ImportedRanges | undefined>;

/**
 * Imported work waits for a human (L25). The imported ranges are stored in the same transaction as the events, so every
 * server that sees the events also knows that they were imported.
 */
export function createImports(log: EventLog) {
  const lookUp: ImportLookup = (thread) => readImportedRanges(log, thread);

  async function ofThread(state: ThreadState): Promise<ImportedView | undefined> {
    return viewOf(placeOf(state), lookUp, rowOf);
  }

  /** The same as `ofThread`, for all rows of a list. */
  async function ofRows(rows: readonly ThreadSummary[]): Promise<ReadonlyMap<string, ImportedView>> {
    const parts = await readAllImportedRanges(log);
    if (parts.size === 0) return new Map();
    const byId = new Map(rows.map((row) => [row.id, row]));
    const views = new Map<string, ImportedView>();
    for (const row of rows) {
      const view = await viewOf(
        row,
        async (thread) => parts.get(thread),
        async (thread) => byId.get(thread),
      );
      if (view) views.set(row.id, view);
    }
    return views;
  }

  async function rowOf(thread: string): Promise<ImportPlace | undefined> {
    const row = await log.record(THREAD_INDEX, thread);
    return row === undefined ? undefined : JSON.parse(row);
  }

  /** The jobs that may start: in a waiting thread, only those that a human has requested since the import. */
  async function runnableJobs(state: ThreadState, jobs: readonly Job[]): Promise<readonly Job[]> {
    if (jobs.length === 0 || !(await ofThread(state))?.waiting) return jobs;
    const isAllowed = await Promise.all(
      jobs.map(({ rootEvent: requestId }) => requestId !== undefined && isHumanRequest(requestId)),
    );
    return jobs.filter((_, i) => isAllowed[i]);
  }

  async function isHumanRequest(id: string): Promise<boolean> {
    const row = await log.byId(id);
    if (!row || eventOf(row).meta.by !== 'human') return false;
    const parts = await lookUp(row.thread);
    return !parts || row.seq > lastImportedSeq(parts);
  }

  return { ofThread, ofRows, runnableJobs };
}

async function viewOf(
  place: ImportPlace,
  lookUp: ImportLookup,
  rowOf: (thread: string) => Promise<ImportPlace | undefined>,
): Promise<ImportedView | undefined> {
  const upTo = await findLastImportedSeq(place, lookUp, rowOf);
  if (upTo > 0) return { up_to: upTo, ...((place.resumed ?? 0) <= upTo && { waiting: true }) };
  if (place.side_of === undefined || place.resumed !== undefined) return undefined;
  // Participants of a side channel come from its parent with their profiles there, so it waits if the parent does.
  const parent = await rowOf(place.side_of);
  const parentView = parent && (await viewOf({ ...parent, id: place.side_of }, lookUp, rowOf));
  return parentView?.waiting ? { up_to: 0, waiting: true } : undefined;
}

/** The newest imported event visible in a thread: its own, or inherited through forks. */
async function findLastImportedSeq(
  place: ImportPlace,
  lookUp: ImportLookup,
  rowOf: (thread: string) => Promise<ImportPlace | undefined>,
) {
  let newest = 0;
  let upTo = Number.MAX_SAFE_INTEGER;
  const visited = new Set<string>();
  for (let current: ImportPlace | undefined = place; current && !visited.has(current.id); ) {
    visited.add(current.id);
    const parts: ImportedRanges | undefined = await lookUp(current.id);
    if (parts) newest = Math.max(newest, lastImportedSeq(parts, upTo));
    const fork: ImportPlace['forked_from'] = current.forked_from;
    upTo = Math.min(upTo, fork?.seq ?? 0);
    current = fork && (await rowOf(fork.thread));
  }
  return newest;
}

function placeOf({ id, forkedFrom, sideOf, resumed }: ThreadState): ImportPlace {
  return {
    id,
    ...(forkedFrom && { forked_from: forkedFrom }),
    ...(sideOf && { side_of: sideOf.thread }),
    ...(resumed !== undefined && { resumed }),
  };
}
