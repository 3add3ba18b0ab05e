import { clusterOf } from '../pool/members.ts';
import { activeThoughts, type Pool, type Thought } from '../pool/state.ts';
import type { Evidence } from './state.ts';
import type { Terms } from './terms.ts';

type Dominance = Extract<Evidence, { by: 'dominance' }>;

/** What the active pool says about a restart (X6). */
export interface Signs {
  /** Clusters that ask for one. */
  readonly firing: readonly Dominance[];
  /** Of those that asked before, the ones that have faded. */
  readonly faded: readonly number[];
}

export function signsOf(pool: Pool, terms: Terms['restart'], disarmed: readonly number[]): Signs {
  const active = activeThoughts(pool);
  const all = new Set(active.map(({ iter }) => iter)).size;
  const clusters = new Map<number, Thought[]>();
  for (const thought of active) {
    const cluster = clusterOf(pool.members, thought.id);
    if (typeof cluster !== 'number') continue;
    const members = clusters.get(cluster);
    if (members) members.push(thought);
    else clusters.set(cluster, [thought]);
  }
  const firing: Dominance[] = [];
  const faded = new Set(disarmed);
  for (const [cluster, members] of clusters) {
    // One thought of each iteration counts: a single verbose step is one voice.
    const iterations = [...new Set(members.map(({ iter }) => iter))];
    const share = iterations.length / all;
    if (share >= terms.rearm) faded.delete(cluster);
    if (share < terms.share || iterations.length < terms.iterations || disarmed.includes(cluster)) continue;
    const asking = members.filter(({ text }) => asksForRestart(text));
    const themed = asking.length / members.length;
    if (themed < terms.themed) continue;
    firing.push({ by: 'dominance', cluster, share, themed, iterations, thoughts: asking.map(({ id }) => id) });
  }
  return { firing: firing.sort((a, b) => b.share - a.share || a.cluster - b.cluster), faded: [...faded] };
}

const WORD = /(?<![\p{L}\p{N}_])restart(?:s|ed|ing)?(?![\p{L}\p{N}_])/iu;
const QUOTED = /^\s*>/;

/** Whether a thought has the word outside of the lines it only quotes. */
export function asksForRestart(text: string): boolean {
  if (!WORD.test(text)) return false;
  return text.split('\n').some((line) => !QUOTED.test(line) && WORD.test(line));
}
