import { type SeededRandom, seededRandom } from '../util/random.ts';
import { clusterOf, membersOf } from './members.ts';
import { activeSizes, activeThoughts, ageOf, isActive, type Thought, type ThoughtPool, thoughtOf } from './state.ts';

export interface SampleOptions {
  readonly seed: number;
  /** The iteration the sample is for. */
  readonly iter: number;
  /** The maximum number of sampled thoughts, and the maximum characters in each of the lists. */
  readonly count: number;
  readonly chars: number;
  /** How many of the newest thoughts to add, in order. */
  readonly recent?: number;
  /** How many older thoughts to add from sampled clusters that have become rare. */
  readonly recall?: number;
  /** Thoughts that may not be shown. */
  readonly hidden?: ReadonlySet<number>;
}

/** A thought as a mind sees it. */
export interface ShownThought {
  readonly id: number;
  readonly age: number;
  /** Shortened, with an ellipsis, if it was one of the longest and there was not room for all. */
  readonly text: string;
  /** The cluster, with its number of active thoughts. */
  readonly cluster: { readonly id: number; readonly size: number } | null;
}

export interface ThoughtSample {
  readonly sampled: readonly ShownThought[];
  readonly recent: readonly ShownThought[];
  readonly recalled: readonly ShownThought[];
}

export const SAMPLE_LIMITS = { count: 10, chars: 3000 };

const RARE_SIZE = 3;
const MAX_RECALL_DEPTH = 100;
const ELLIPSIS = ' …';

/** Uniform, without replacement, unordered; the same seed draws the same (D23). */
export function sampleThoughts(pool: ThoughtPool, options: SampleOptions): ThoughtSample {
  const { seed, iter, count, chars, recent = 0, recall = 0, hidden } = options;
  const random = seededRandom(seed);
  const sizes = activeSizes(pool);
  const active = activeThoughts(pool);
  const candidates = hidden?.size ? active.filter(({ id }) => !hidden.has(id)) : active;
  // Thoughts already shown as recent are not drawn again.
  const older = candidates.slice(0, Math.max(0, candidates.length - recent));
  const newest = candidates.slice(older.length);
  const sampled = drawRandom(older, Math.min(count, roomFor(older, chars)), random);
  const recalled = recall > 0 ? drawRandom(recallCandidates(pool, sampled, sizes, hidden), recall, random) : [];

  const toShownThought = ({ thought, text }: FittedThought): ShownThought => {
    const cluster = clusterOf(pool.members, thought.id) ?? null;
    return {
      id: thought.id,
      age: ageOf(thought, iter),
      text,
      cluster: cluster === null ? null : { id: cluster, size: sizes.get(cluster) ?? 0 },
    };
  };
  return {
    sampled: fitToLength(sampled, chars).map(toShownThought),
    recent: fitToLength(newest, chars).map(toShownThought),
    recalled: fitToLength(recalled, chars).map(toShownThought),
  };
}

interface FittedThought {
  readonly thought: Thought;
  readonly text: string;
}

/** The first `count` items of a partial shuffle: only the exchanged places are kept, not a copy of the list. */
function drawRandom<T>(from: readonly T[], count: number, random: SeededRandom): T[] {
  const exchanged = new Map<number, T>();
  const at = (index: number) => exchanged.get(index) ?? (from[index] as T);
  return Array.from({ length: Math.min(count, from.length) }, (_, i) => {
    const other = i + random.below(from.length - i);
    const drawn = at(other);
    exchanged.set(other, at(i));
    return drawn;
  });
}

/**
 * The number of thoughts of average length that fit. It must not depend on which ones are drawn: leaving out the ones
 * that do not fit would show short thoughts more often than long ones.
 */
function roomFor(thoughts: readonly Thought[], chars: number): number {
  let total = 0;
  for (const { text } of thoughts) total += text.length;
  return total === 0 ? thoughts.length : Math.max(1, Math.floor((chars * thoughts.length) / total));
}

/** Returns all thoughts, with the longest cut to a common length if there is not room for all. */
function fitToLength(thoughts: readonly Thought[], chars: number): FittedThought[] {
  const lengths = thoughts.map(({ text }) => text.length).sort((a, b) => a - b);
  let [room, maxLength] = [chars, Number.POSITIVE_INFINITY];
  for (const [i, length] of lengths.entries()) {
    const share = Math.floor(room / (lengths.length - i));
    if (length > share) {
      maxLength = share;
      break;
    }
    room -= length;
  }
  return thoughts.map((thought) => ({
    thought,
    text: thought.text.length > maxLength ? truncate(thought.text, maxLength) : thought.text,
  }));
}

/** Never cuts through a surrogate pair. */
function truncate(text: string, room: number): string {
  const head = text.slice(0, Math.max(0, room - ELLIPSIS.length));
  return head.replace(/[\uD800-\uDBFF]$/, '') + ELLIPSIS;
}

/** Past thoughts of sampled clusters with few active ones: the latest hundred of each. */
function recallCandidates(
  pool: ThoughtPool,
  sampled: readonly Thought[],
  sizes: ReadonlyMap<number, number>,
  hidden: ReadonlySet<number> | undefined,
): Thought[] {
  const candidates: Thought[] = [];
  const clusters = new Set(sampled.map(({ id }) => clusterOf(pool.members, id)));
  for (const cluster of clusters) {
    if (typeof cluster !== 'number' || (sizes.get(cluster) ?? 0) > RARE_SIZE) continue;
    let checked = 0;
    for (const id of membersOf(pool.members, cluster)) {
      if (++checked > MAX_RECALL_DEPTH) break;
      const thought = thoughtOf(pool, id);
      if (thought && !isActive(pool, id) && !hidden?.has(id)) candidates.push(thought);
    }
  }
  return candidates;
}
