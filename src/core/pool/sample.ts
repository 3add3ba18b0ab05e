import { type Chance, chanceFrom } from '../util/random.ts';
import { clusterOf, membersOf } from './members.ts';
import { activeSizes, activeThoughts, ageOf, isActive, type Pool, type Thought, thoughtOf } from './state.ts';

export interface SampleOptions {
  readonly seed: number;
  /** The iteration the sample is for. */
  readonly iter: number;
  /** At most so many sampled thoughts, and so many characters in each of the lists. */
  readonly count: number;
  readonly chars: number;
  /** So many of the newest, in order, beside the sampled ones. */
  readonly recent?: number;
  /** So many older thoughts of sampled clusters that have become rare. */
  readonly recall?: number;
  /** Thoughts that may not be shown. */
  readonly hidden?: ReadonlySet<number>;
}

/** A thought as a mind is shown it. */
export interface Shown {
  readonly id: number;
  readonly age: number;
  /** Shortened, with a mark, where it was one of the longest and there was not room for all. */
  readonly text: string;
  /** With its number of active thoughts. */
  readonly cluster: { readonly id: number; readonly size: number } | null;
}

export interface Sample {
  readonly sampled: readonly Shown[];
  readonly recent: readonly Shown[];
  readonly recalled: readonly Shown[];
}

export const SAMPLE_LIMITS = { count: 10, chars: 3000 };

const RARE = 3;
const RECALLED_FROM = 100;
const CUT = ' …';

/** Uniform, without replacement, unordered; the same seed draws the same (D23). */
export function sample(pool: Pool, options: SampleOptions): Sample {
  const { seed, iter, count, chars, recent = 0, recall = 0, hidden } = options;
  const chance = chanceFrom(seed);
  const sizes = activeSizes(pool);
  const candidates = activeThoughts(pool).filter(({ id }) => !hidden?.has(id));
  // What is shown as recent need not be drawn as well.
  const older = candidates.slice(0, Math.max(0, candidates.length - recent));
  const newest = candidates.slice(older.length);
  const sampled = drawn(older, Math.min(count, roomFor(older, chars)), chance);
  const recalled = recall > 0 ? drawn(recallable(pool, sampled, sizes, hidden), recall, chance) : [];

  const shown = ({ thought, text }: Fitted): Shown => {
    const cluster = clusterOf(pool.members, thought.id) ?? null;
    return {
      id: thought.id,
      age: ageOf(thought, iter),
      text,
      cluster: cluster === null ? null : { id: cluster, size: sizes.get(cluster) ?? 0 },
    };
  };
  return {
    sampled: fitted(sampled, chars).map(shown),
    recent: fitted(newest, chars).map(shown),
    recalled: fitted(recalled, chars).map(shown),
  };
}

interface Fitted {
  readonly thought: Thought;
  readonly text: string;
}

/** The first `count` of a shuffle that is never finished. */
function drawn<T>(from: readonly T[], count: number, chance: Chance): T[] {
  const items = [...from];
  const wanted = Math.min(count, items.length);
  for (let i = 0; i < wanted; i++) {
    const other = i + chance.below(items.length - i);
    [items[i], items[other]] = [items[other] as T, items[i] as T];
  }
  return items.slice(0, wanted);
}

/**
 * How many thoughts of usual length there is room for. It must not depend on which ones are drawn: leaving out what does
 * not fit would let short thoughts be seen more often than long ones.
 */
function roomFor(thoughts: readonly Thought[], chars: number): number {
  const total = thoughts.reduce((sum, { text }) => sum + text.length, 0);
  return total === 0 ? thoughts.length : Math.max(1, Math.floor((chars * thoughts.length) / total));
}

/** All of them, the longest shortened to one length where there is not room for all. */
function fitted(thoughts: readonly Thought[], chars: number): Fitted[] {
  const lengths = thoughts.map(({ text }) => text.length).sort((a, b) => a - b);
  let [room, most] = [chars, Number.POSITIVE_INFINITY];
  for (const [i, length] of lengths.entries()) {
    const share = Math.floor(room / (lengths.length - i));
    if (length > share) {
      most = share;
      break;
    }
    room -= length;
  }
  return thoughts.map((thought) => ({
    thought,
    text: thought.text.length > most ? cut(thought.text, most) : thought.text,
  }));
}

/** Never through the middle of a character. */
function cut(text: string, room: number): string {
  const kept = text.slice(0, Math.max(0, room - CUT.length));
  return kept.replace(/[\uD800-\uDBFF]$/, '') + CUT;
}

/** Past thoughts of the sampled clusters of which little is left, of each the latest hundred. */
function recallable(
  pool: Pool,
  sampled: readonly Thought[],
  sizes: ReadonlyMap<number, number>,
  hidden: ReadonlySet<number> | undefined,
): Thought[] {
  const found: Thought[] = [];
  const clusters = new Set(sampled.map(({ id }) => clusterOf(pool.members, id)));
  for (const cluster of clusters) {
    if (typeof cluster !== 'number' || (sizes.get(cluster) ?? 0) > RARE) continue;
    let looked = 0;
    for (const id of membersOf(pool.members, cluster)) {
      if (++looked > RECALLED_FROM) break;
      const thought = thoughtOf(pool, id);
      if (thought && !isActive(pool, id) && !hidden?.has(id)) found.push(thought);
    }
  }
  return found;
}
