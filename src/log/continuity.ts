import { type Append, BrokenLink, type Fork, type Linked } from './event-log.ts';

/** Where a thread stands: its newest own event. */
export interface Head {
  readonly seq: number;
  readonly hash: string;
}

/** Where a thread stands after an entry of the batch was not stored: nowhere a later one could expect. */
const LOST: Head = { seq: -1, hash: '' };

/**
 * Whether an event continues what is stored: the thread's own last event, or the parent's event where it begins a fork.
 * Asked only about the first event of a thread in a batch; the ones after it are held against each other.
 */
export type ContinuesStored = (first: Linked, fork: Fork | undefined) => boolean;

/** Follows the entries of a batch and refuses, loudly, any event that does not continue the chain (L22). */
export function createContinuity(continuesStored: ContinuesStored) {
  const heads = new Map<string, Head>();
  const forks = new Map<string, Fork>();
  const hashes = new Map<string, string>();

  /** Takes in an entry that is about to be stored; throws BrokenLink where it does not continue. */
  function follow(entry: Pick<Append, 'events' | 'forks'>) {
    for (const fork of entry.forks ?? []) forks.set(fork.thread, fork);
    for (const event of entry.events) {
      if (!continues(event)) throw new BrokenLink(event);
      heads.set(event.thread, event);
      hashes.set(keyOf(event.thread, event.seq), event.hash);
    }
  }

  function continues(event: Linked): boolean {
    const head = heads.get(event.thread);
    if (head) return event.seq === head.seq + 1 && event.previous === head.hash;
    const fork = forks.get(event.thread);
    if (!fork) return continuesStored(event, undefined);
    if (event.seq !== fork.seq + 1) return false;
    const parent = ownerOf(fork);
    const known = hashes.get(keyOf(parent, fork.seq));
    return known === undefined ? continuesStored(event, { ...fork, parent }) : known === event.previous;
  }

  /** A fork may begin in what its parent itself inherited, also from a fork of the same batch. */
  function ownerOf({ parent, seq }: Fork): string {
    let owner = parent;
    for (let up = forks.get(owner); up && seq <= up.seq && up.parent !== owner; up = forks.get(owner))
      owner = up.parent;
    return owner;
  }

  /** An entry was not stored: whatever was decided on it is not stored either. */
  function lose({ expected }: Append) {
    for (const { thread } of expected) heads.set(thread, LOST);
  }

  /** The parent of a fork that was decided on an entry which is not stored. */
  function lostParent({ forks: begun = [], events }: Append): string | undefined {
    const lost = begun.find((fork) => {
      if (heads.get(fork.parent) !== LOST) return false;
      const first = events.find(({ thread }) => thread === fork.thread);
      if (first === undefined) return false;
      // What an earlier entry of the batch stored there stands, whatever became of those after it.
      const known = hashes.get(keyOf(ownerOf(fork), fork.seq));
      return known === undefined ? !continuesStored(first, fork) : known !== first.previous;
    });
    return lost?.parent;
  }

  return { heads: heads as ReadonlyMap<string, Head>, follow, lose, lostParent };
}

export type Continuity = ReturnType<typeof createContinuity>;

function keyOf(thread: string, seq: number): string {
  return `${seq} ${thread}`;
}
