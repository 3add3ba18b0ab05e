import { type AppendEntry, BrokenLink, type Fork, type LinkedEvent } from './event-log.ts';

/** Where a thread stands: its newest own event. */
export interface ThreadHead {
  readonly seq: number;
  readonly hash: string;
}

/** Where a thread stands after an entry of the batch was not stored: nowhere a later one could expect. */
const LOST_HEAD: ThreadHead = { seq: -1, hash: '' };

/**
 * Whether an event continues what is stored: the thread's own last event, or the parent's event where it begins a fork.
 * Asked only about the first event of a thread in a batch; the ones after it are held against each other.
 */
export type ContinuityCheck = (first: LinkedEvent, fork: Fork | undefined) => boolean;

/** Follows the entries of a batch and refuses, loudly, any event that does not continue the chain (L22). */
export function createContinuity(continuesStored: ContinuityCheck) {
  const heads = new Map<string, ThreadHead>();
  const forks = new Map<string, Fork>();
  const hashes = new Map<string, string>();

  /** Takes in an entry that is about to be stored; throws BrokenLink where it does not continue. */
  function follow(entry: Pick<AppendEntry, 'events' | 'forks'>) {
    for (const fork of entry.forks ?? []) forks.set(fork.thread, fork);
    for (const event of entry.events) {
      if (!isContinued(event)) throw new BrokenLink(event);
      heads.set(event.thread, event);
      hashes.set(keyOf(event.thread, event.seq), event.hash);
    }
  }

  function isContinued(event: LinkedEvent): boolean {
    const head = heads.get(event.thread);
    if (head) return event.seq === head.seq + 1 && event.previous === head.hash;
    const fork = forks.get(event.thread);
    if (!fork) return continuesStored(event, undefined);
    if (event.seq !== fork.seq + 1) return false;
    const parent = ownerOf(fork);
    const knownHash = hashes.get(keyOf(parent, fork.seq));
    return knownHash === undefined ? continuesStored(event, { ...fork, parent }) : knownHash === event.previous;
  }

  /** A fork may begin in what its parent itself inherited, also from a fork of the same batch. */
  function ownerOf({ parent, seq }: Fork): string {
    let owner = parent;
    for (
      let outerFork = forks.get(owner);
      outerFork && seq <= outerFork.seq && outerFork.parent !== owner;
      outerFork = forks.get(owner)
    )
      owner = outerFork.parent;
    return owner;
  }

  /** An entry was not stored: whatever was decided on it is not stored either. */
  function markLost({ expected }: AppendEntry) {
    for (const { thread } of expected) heads.set(thread, LOST_HEAD);
  }

  /** The parent of a fork that was decided on an entry which is not stored. */
  function lostParent({ forks: newForks = [], events }: AppendEntry): string | undefined {
    const lostFork = newForks.find((fork) => {
      if (heads.get(fork.parent) !== LOST_HEAD) return false;
      const first = events.find(({ thread }) => thread === fork.thread);
      if (first === undefined) return false;
      // What an earlier entry of the batch stored there stands, whatever became of those after it.
      const knownHash = hashes.get(keyOf(ownerOf(fork), fork.seq));
      return knownHash === undefined ? !continuesStored(first, fork) : knownHash !== first.previous;
    });
    return lostFork?.parent;
  }

  return { heads: heads as ReadonlyMap<string, ThreadHead>, follow, markLost, lostParent };
}

export type Continuity = ReturnType<typeof createContinuity>;

function keyOf(thread: string, seq: number): string {
  return `${seq} ${thread}`;
}
