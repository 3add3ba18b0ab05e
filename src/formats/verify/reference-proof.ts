import type { Event } from '../../core/events/event.ts';
import { openBlob } from '../../log/blobs.ts';
import type { EventLog } from '../../log/event-log.ts';
import { MISSING_BLOB } from '../../log/record-kinds.ts';
import { blobHashesOf } from '../export/export-log.ts';
import { type ChainHead, failureAt, forkPointOf, type ProofFailure } from './chain.ts';

type ForkPoint = NonNullable<ReturnType<typeof forkPointOf>>;

/** Checks the data the events refer to: the blobs they name, and where forks start (L24). */
export function createReferenceProof(log: EventLog) {
  const provenBlobs = new Set<string>();
  const forks = new Map<string, ForkPoint>();

  async function follow(event: Event): Promise<ProofFailure | undefined> {
    const fork = forkPointOf(event);
    if (fork) forks.set(event.thread, fork);
    for (const hash of blobHashesOf(event)) {
      const why = provenBlobs.has(hash) ? undefined : await problemWithBlob(hash);
      if (why) return failureAt(event, `names the blob ${hash}, ${why}`);
      provenBlobs.add(hash);
    }
    return undefined;
  }

  async function problemWithBlob(hash: string): Promise<string | undefined> {
    const blob = await log.blob(hash);
    if (blob) return openBlob(blob).then(asSound, () => 'whose content does not match its hash');
    // A blob missing from an import was recorded as missing at that time.
    return (await log.record(MISSING_BLOB, hash)) === undefined ? 'which is missing' : undefined;
  }

  /** Reports threads that start elsewhere than their first event says, or that are listed as forks but are not. */
  async function finish(heads: ReadonlyMap<string, ChainHead>): Promise<ProofFailure | undefined> {
    const storedForks = new Map((await log.forks()).map((fork) => [fork.thread, fork]));
    for (const [thread, { thread: parent, seq }] of forks) {
      const storedFork = storedForks.get(thread);
      const claim = `forks from event ${seq} of thread ${parent}, by its first event`;
      if (!storedFork)
        return { thread, why: `${claim}, but is not kept as a fork: its history would be read without that part` };
      if (storedFork.parent !== parent || storedFork.seq !== seq) {
        return {
          thread,
          why: `${claim}, but is kept as a fork from event ${storedFork.seq} of thread ${storedFork.parent}`,
        };
      }
    }
    for (const { thread, parent } of storedForks.values()) {
      if (forks.has(thread) || (await startedMeanwhile(thread))) continue;
      const why = heads.has(thread) ? 'no event of it says so' : 'it has no events';
      return { thread, why: `is kept as a fork of thread ${parent}, and ${why}` };
    }
    return undefined;

    /**
     * Other processes may be writing: a fork made since verification began has events, but they are not among those
     * verified.
     */
    async function startedMeanwhile(thread: string): Promise<boolean> {
      return !heads.has(thread) && (await log.lastOf(thread))?.thread === thread;
    }
  }

  return { follow, finish };
}

function asSound(): undefined {}
