import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Fold } from '../../core/decider.ts';
import { canonical } from '../../core/events/canonical.ts';
import { workspace } from '../../core/workspace.ts';
import type { Broken } from '../../formats/verify/chain.ts';
import { type Verified, verifyLog, type Watched } from '../../formats/verify/verify.ts';
import type { EventLog } from '../../log/event-log.ts';
import { THREAD_INDEX } from '../../log/record-kinds.ts';
import { createStates, type Loaded } from '../states.ts';
import { rowsMark } from './rows.ts';

const PAGE = 1000;

/**
 * Proves a workspace, or one thread: every link, and that what people are shown, the list of threads and the snapshots
 * that histories are opened with, is what the events say (L24).
 */
export async function proveLog(log: EventLog, thread: string | undefined, watched: Watched = {}): Promise<Verified> {
  const verified = await verifyLog(log, thread, watched);
  if (verified.broken) return verified;
  const broken = await problemWithDerived(log, thread, verified, watched);
  return broken ? { ...verified, broken } : verified;
}

async function problemWithDerived(
  log: EventLog,
  only: string | undefined,
  { heads }: Verified,
  { signal }: Watched,
): Promise<Broken | undefined> {
  const mark = await rowsMark(log);
  // Rows of another version are made anew when the workspace is opened: until then nobody relies on them.
  const isCurrent = mark?.version === workspace.version && mark.after === undefined;
  const listed = isCurrent ? (await log.records(THREAD_INDEX)).map(({ key }) => key) : [];
  for (const thread of only === undefined ? new Set([...heads.keys(), ...listed]) : [only]) {
    signal?.throwIfAborted();
    const why = await problemWithThread(log, thread, isCurrent);
    if (why) return { thread, why: `${why}: run "heddle rebuild"` };
  }
  return undefined;
}

/** Others may be writing: what is not alike counts only if the thread has not gone on meanwhile. */
async function problemWithThread(log: EventLog, thread: string, isListed: boolean): Promise<string | undefined> {
  for (;;) {
    await nextTurn();
    const head = (await log.lastOf(thread))?.seq ?? 0;
    const row = isListed ? await log.record(THREAD_INDEX, thread) : undefined;
    const why = await problemAt(log, thread, head, isListed ? (row ?? null) : undefined);
    if (!why || ((await log.lastOf(thread))?.seq ?? 0) === head) return why;
  }
}

/** `row`: what is listed of the thread, null for nothing; undefined where that is not asked. */
async function problemAt(log: EventLog, thread: string, head: number, row: string | null | undefined) {
  if (head === 0) return 'is listed, and has no events';
  const { atHead, snapshotDiffers } = await foldTwice(log, workspace, thread, head);
  if (snapshotDiffers) return 'has a snapshot that is not what its events say';
  const isRight = row === undefined || row === canonical(workspace.summary(atHead.state));
  return isRight ? undefined : 'is listed otherwise than its events say';
}

/** The thread from its first event to its head, held against its snapshot on the way. */
async function foldTwice<State>(log: EventLog, fold: Fold<State>, thread: string, head: number) {
  const states = createStates(log, fold);
  const saved = await log.snapshot(thread);
  let atHead: Loaded<State> = states.empty(thread);
  let snapshotDiffers = false;
  while (atHead.seq < head) {
    const rows = await log.readThread(thread, atHead.seq, Math.min(PAGE, head - atHead.seq));
    if (rows.length === 0) break;
    for (const row of rows) {
      atHead = states.step(atHead, row);
      if (row.seq === saved?.seq && saved.version === fold.version) {
        snapshotDiffers = !isSnapshotOf(atHead.state, saved.body);
      }
    }
    await nextTurn();
  }
  return { atHead, snapshotDiffers };
}

function isSnapshotOf(state: unknown, body: string): boolean {
  try {
    return canonical(JSON.parse(body)) === canonical(JSON.parse(JSON.stringify(state)));
  } catch {
    return false;
  }
}
