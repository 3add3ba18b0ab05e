import type { Job } from '../../core/decider.ts';
import type { ThreadState } from '../../core/threads/state.ts';
import type { ThreadSummary } from '../../core/threads/view/view.ts';
import {
  allImportedParts,
  type ImportedParts,
  importedParts,
  lastImported,
} from '../../formats/import/imported-ranges.ts';
import { type EventLog, eventOf } from '../../log/event-log.ts';
import { THREAD_INDEX } from '../../log/record-kinds.ts';

/** What a thread has from imports. */
export interface ImportedView {
  /** The newest event that was imported, among those of its ancestors too. */
  readonly up_to: number;
  /** What is open in it is not done until a human resumes it. */
  readonly waiting?: true;
}

type Place = Pick<ThreadSummary, 'id' | 'forked_from' | 'side_of' | 'resumed'>;
type Look = (thread: string) => Promise<ImportedParts | undefined>;

/**
 * Work that came in by an import waits for a human (L25). What was imported is written down in the same transaction as
 * the events, so every server on this log knows of it when it knows of them.
 */
export function createImports(log: EventLog) {
  const look: Look = (thread) => importedParts(log, thread);

  async function ofThread(state: ThreadState): Promise<ImportedView | undefined> {
    return viewOf(placeOf(state), look, rowOf);
  }

  /** The same for all rows of a list. */
  async function ofRows(rows: readonly ThreadSummary[]): Promise<ReadonlyMap<string, ImportedView>> {
    const parts = await allImportedParts(log);
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

  async function rowOf(thread: string): Promise<Place | undefined> {
    const row = await log.record(THREAD_INDEX, thread);
    return row === undefined ? undefined : JSON.parse(row);
  }

  /** Of the jobs that a thread asks for, those that may begin: in one that waits, what a human has asked for since. */
  async function mayBegin(state: ThreadState, jobs: readonly Job[]): Promise<readonly Job[]> {
    if (jobs.length === 0 || !(await ofThread(state))?.waiting) return jobs;
    const allowed = await Promise.all(jobs.map(({ asked }) => asked !== undefined && isWordOfHuman(asked)));
    return jobs.filter((_, i) => allowed[i]);
  }

  async function isWordOfHuman(id: string): Promise<boolean> {
    const row = await log.byId(id);
    if (!row || eventOf(row).meta.by !== 'human') return false;
    const parts = await look(row.thread);
    return !parts || row.seq > lastImported(parts);
  }

  return { ofThread, ofRows, mayBegin };
}

async function viewOf(
  place: Place,
  look: Look,
  rowOf: (thread: string) => Promise<Place | undefined>,
): Promise<ImportedView | undefined> {
  const upTo = await lastSeen(place, look, rowOf);
  if (upTo > 0) return { up_to: upTo, ...((place.resumed ?? 0) <= upTo && { waiting: true }) };
  if (place.side_of === undefined || place.resumed !== undefined) return undefined;
  // Whoever is asked aside in a thread that waits comes from there, with the profile they have there.
  const parent = await rowOf(place.side_of);
  const beside = parent && (await viewOf({ ...parent, id: place.side_of }, look, rowOf));
  return beside?.waiting ? { up_to: 0, waiting: true } : undefined;
}

/** The newest imported event that a thread sees: its own, or of what it was forked from. */
async function lastSeen(place: Place, look: Look, rowOf: (thread: string) => Promise<Place | undefined>) {
  let newest = 0;
  let upTo = Number.MAX_SAFE_INTEGER;
  const passed = new Set<string>();
  for (let at: Place | undefined = place; at && !passed.has(at.id); ) {
    passed.add(at.id);
    const parts: ImportedParts | undefined = await look(at.id);
    if (parts) newest = Math.max(newest, lastImported(parts, upTo));
    const fork: Place['forked_from'] = at.forked_from;
    upTo = Math.min(upTo, fork?.seq ?? 0);
    at = fork && (await rowOf(fork.thread));
  }
  return newest;
}

function placeOf({ id, forkedFrom, sideOf, resumed }: ThreadState): Place {
  return {
    id,
    ...(forkedFrom && { forked_from: forkedFrom }),
    ...(sideOf && { side_of: sideOf.thread }),
    ...(resumed !== undefined && { resumed }),
  };
}
