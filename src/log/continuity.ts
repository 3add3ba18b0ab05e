import { type AppendEntry, BrokenLink, type Fork, type LinkedEvent } from './event-log.ts';

/** A thread's newest own event. */
export interface ThreadHead {
  readonly seq: number;
  readonly hash: string;
}

/** The head of a thread after an entry of the batch was not stored; no later entry can match it. */
const LOST_HEAD: ThreadHead = { seq: -1, hash: '' };

/**
 * Whether an event continues the stored chain: the thread's own last event, or the parent's event if it starts a
 * fork. Called only for the first event of a thread in a batch; later ones are compared with each other.
 */
export type ContinuityCheck = (first: LinkedEvent, fork: Fork | undefined) => boolean;

/** Follows the entries of a batch and throws on any event that does not continue the chain (L22). */
export function createContinuity(continuesStored: ContinuityCheck) {
  const heads = new Map<string, ThreadHead>();
  const forks = new Map<string, Fork>();
  const hashes = new Map<string, string>();

  /** Records an entry that is about to be stored; throws BrokenLink if it does not continue the chain. */
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

  /** A fork may start in the part its parent inherited, even from a fork of the same batch. */
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

  /** Marks an entry as not stored, so that entries based on it are not stored either. */
  function markLost({ expected }: AppendEntry) {
    for (const { thread } of expected) heads.set(thread, LOST_HEAD);
  }

  /** The parent of a fork that is based on an entry that was not stored. */
  function lostParent({ forks: newForks = [], events }: AppendEntry): string | undefined {
    const lostFork = newForks.find((fork) => {
      if (heads.get(fork.parent) !== LOST_HEAD) return false;
      const first = events.find(({ thread }) => thread === fork.thread);
      if (first === undefined) return false;
      // Events that an earlier entry of the batch stored there remain valid, even if later entries failed.
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
