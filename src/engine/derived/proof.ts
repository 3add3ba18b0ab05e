import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Fold } from '../../core/decider.ts';
import { canonicalJson } from '../../core/events/canonical.ts';
import { workspace } from '../../core/workspace.ts';
import type { ProofFailure } from '../../formats/verify/chain.ts';
import { type ProgressOptions, type Verification, verifyLog } from '../../formats/verify/verify.ts';
import type { EventLog } from '../../log/event-log.ts';
import { THREAD_INDEX } from '../../log/record-kinds.ts';
import { createStates, type LoadedState } from '../states.ts';
import { readRowsMark } from './rows.ts';

const PAGE = 1000;

/**
 * Verifies a workspace or one thread: every hash link, and that the list of threads and the snapshots match the events
 * (L24).
 */
export async function proveLog(
  log: EventLog,
  thread: string | undefined,
  options: ProgressOptions = {},
): Promise<Verification> {
  const verification = await verifyLog(log, thread, options);
  if (verification.broken) return verification;
  const broken = await findDerivedProblem(log, thread, verification, options);
  return broken ? { ...verification, broken } : verification;
}

async function findDerivedProblem(
  log: EventLog,
  threadFilter: string | undefined,
  { heads }: Verification,
  { signal }: ProgressOptions,
): Promise<ProofFailure | undefined> {
  const mark = await readRowsMark(log);
  // Rows of another version are rebuilt when the workspace is opened; nothing relies on them before that.
  const isCurrent = mark?.version === workspace.version && mark.after === undefined;
  const listedThreads = isCurrent ? (await log.records(THREAD_INDEX)).map(({ key }) => key) : [];
  for (const thread of threadFilter === undefined ? new Set([...heads.keys(), ...listedThreads]) : [threadFilter]) {
    signal?.throwIfAborted();
    const problem = await findThreadProblem(log, thread, isCurrent);
    if (problem) return { thread, why: `${problem}: run "heddle rebuild"` };
  }
  return undefined;
}

/** Other processes may be writing: a mismatch counts only if the thread has not changed in the meantime. */
async function findThreadProblem(log: EventLog, thread: string, isListed: boolean): Promise<string | undefined> {
  for (;;) {
    await nextTurn();
    const head = (await log.lastOf(thread))?.seq ?? 0;
    const row = isListed ? await log.record(THREAD_INDEX, thread) : undefined;
    const problem = await findProblemAt(log, thread, head, isListed ? (row ?? null) : undefined);
    if (!problem || ((await log.lastOf(thread))?.seq ?? 0) === head) return problem;
  }
}

/** `row` is the thread's row in the list, null if there is none, undefined to skip that check. */
async function findProblemAt(log: EventLog, thread: string, head: number, row: string | null | undefined) {
  if (head === 0) return 'is listed but has no events';
  const { atHead, snapshotDiffers } = await foldTwice(log, workspace, thread, head);
  if (snapshotDiffers) return 'has a snapshot that does not match its events';
  const isRight = row === undefined || row === canonicalJson(workspace.summary(atHead.state));
  return isRight ? undefined : 'has a list entry that does not match its events';
}

/** Folds the thread from its first event to its head, and compares its snapshot on the way. */
async function foldTwice<State>(log: EventLog, fold: Fold<State>, thread: string, head: number) {
  const states = createStates(log, fold);
  const snapshot = await log.snapshot(thread);
  let atHead: LoadedState<State> = states.empty(thread);
  let snapshotDiffers = false;
  while (atHead.seq < head) {
    const rows = await log.readThread(thread, atHead.seq, Math.min(PAGE, head - atHead.seq));
    if (rows.length === 0) break;
    for (const row of rows) {
      atHead = states.step(atHead, row);
      if (row.seq === snapshot?.seq && snapshot.version === fold.version) {
        snapshotDiffers = !isSnapshotOf(atHead.state, snapshot.body);
      }
    }
    await nextTurn();
  }
  return { atHead, snapshotDiffers };
}

function isSnapshotOf(state: unknown, body: string): boolean {
  try {
    return canonicalJson(JSON.parse(body)) === canonicalJson(JSON.parse(JSON.stringify(state)));
  } catch {
    return false;
  }
}
