import { clusterOf } from '../../pool/members.ts';
import { type Shown, sample } from '../../pool/sample.ts';
import { activeThoughts, ageOf, type Pool, type Thought, thoughtOf } from '../../pool/state.ts';
import { marked } from '../entries.ts';
import { announcedAt, auditTerms, type Exchange, nextRound, type TermsVersion, termsAt } from '../state.ts';
import { TEXTS, termsText } from '../terms/terms.ts';

/** A text that everyone here must know, and which one it is (X3). */
export interface Legible {
  readonly id: 'auditor_spec' | 'mind_prompt' | 'observer_role' | 'terms' | 'latest_audit' | `announced_${number}`;
  readonly hash: string;
  readonly text: string;
  /** Of an announcement: from which round it holds. */
  readonly from?: number;
}

export interface Authored extends Shown {
  readonly author: string;
}

/** A cluster, told in a line. */
export interface ClusterLine {
  readonly id: number;
  readonly size: number;
  readonly share: number;
  /** Its latest thought, and how that begins. */
  readonly latest: number;
  readonly label: string;
}

/** All that a mind is shown (X14). */
export interface MindInput {
  readonly question: string;
  readonly meta: {
    readonly self: string;
    readonly round: number;
    readonly iter: number;
    readonly minds: readonly string[];
  };
  readonly version: number;
  readonly terms: readonly Legible[];
  /** Behind their marks; each until the next audit. */
  readonly latest: {
    readonly observer: readonly string[];
    readonly injections: readonly string[];
    readonly restarts: readonly string[];
  };
  readonly clusters: readonly ClusterLine[];
  readonly thoughts: readonly Authored[];
}

/** All that the auditor is shown. */
export interface AuditInput extends Omit<MindInput, 'meta'> {
  readonly meta: { readonly round: number; readonly audit: number };
}

const CLUSTERS = 12;
const LABEL = 80;

/** Every mind of a round draws from the pool as the round found it, whoever is asked first. */
export function mindInput(state: Exchange, mind: number, seed: number): MindInput {
  const round = nextRound(state);
  const held = termsAt(state, round);
  const { terms, version } = held;
  const { pool, calls } = state.current;
  const iter = calls + mind + 1;
  const { sampled } = sample(pool, {
    seed,
    iter,
    count: terms.thought_display_count,
    chars: terms.thought_display_chars,
    hidden: new Set(state.vetoed.keys()),
  });
  return {
    question: terms.question,
    meta: { self: terms.minds[mind]?.id ?? '', round, iter, minds: terms.minds.map(({ id }) => id) },
    version,
    terms: legible(state, round, held),
    latest: latestOf(state),
    clusters: terms.cluster_feed ? clusterFeed(pool) : [],
    thoughts: sampled.map((shown) => ({ ...shown, author: thoughtOf(pool, shown.id)?.author ?? '' })),
  };
}

/** The whole active pool, but for what the observer hid. */
export function auditInput(state: Exchange): AuditInput {
  const round = Math.max(1, state.rounds.length);
  const held = auditTerms(state);
  const { pool, calls } = state;
  const sizes = sizesOf(pool);
  return {
    question: held.terms.question,
    meta: { round: state.rounds.length, audit: state.audits.length + 1 },
    version: held.version,
    terms: legible(state, round, held),
    latest: latestOf(state),
    clusters: clusterFeed(pool),
    thoughts: activeThoughts(pool)
      .filter(({ id }) => !state.vetoed.has(id))
      .map((thought) => {
        const cluster = clusterOf(pool.members, thought.id) ?? null;
        return {
          id: thought.id,
          age: ageOf(thought, calls.length),
          text: thought.text,
          author: thought.author,
          cluster: cluster === null ? null : { id: cluster, size: sizes.get(cluster)?.length ?? 0 },
        };
      }),
  };
}

/** What stands in every input, whatever is sampled (X3). */
function legible(state: Exchange, round: number, { terms, hashes }: TermsVersion): readonly Legible[] {
  const audit = state.audits.at(-1)?.content;
  return [
    ...TEXTS.map((id) => ({ id, hash: hashes[id], text: terms[id] })),
    { id: 'terms', hash: hashes.terms, text: termsText(terms) },
    ...(audit
      ? [{ id: 'latest_audit' as const, hash: audit.hash, text: marked({ type: 'audit', text: audit.text }) }]
      : []),
    ...announcedAt(state, round).map((version) => ({
      id: `announced_${version.version}` as const,
      hash: version.hashes.terms,
      text: announcement(version),
      from: version.effective,
    })),
  ];
}

function announcement({ terms, changed, reason, effective, by }: TermsVersion): string {
  const short = changed.filter((name) => !(TEXTS as readonly string[]).includes(name));
  const lines = termsText(terms)
    .split('\n')
    .filter((line) => short.some((name) => line.startsWith(`${name}: `)));
  const long = (['question', ...TEXTS] as const)
    .filter((name) => changed.includes(name))
    .map((name) => `${name}:\n${terms[name]}`);
  const why = reason === undefined ? '' : ` ${reason}`;
  return [`From round ${effective} on, as ${by} decided:${why}`, ...lines, ...long].join('\n');
}

function latestOf({ latest }: Exchange): MindInput['latest'] {
  const { observer, injections, restarts } = latest;
  return { observer: observer.map(marked), injections: injections.map(marked), restarts: restarts.map(marked) };
}

/** The largest clusters of the active pool (X10). */
function clusterFeed(pool: Pool): readonly ClusterLine[] {
  const active = activeThoughts(pool).length;
  return [...sizesOf(pool)]
    .map(([id, members]) => {
      const last = members.at(-1) as Thought;
      const label = [...last.text.slice(0, 2 * LABEL).replace(/\s+/g, ' ')].slice(0, LABEL).join('');
      return { id, size: members.length, share: members.length / active, latest: last.id, label };
    })
    .sort((a, b) => b.size - a.size || a.id - b.id)
    .slice(0, CLUSTERS);
}

function sizesOf(pool: Pool): ReadonlyMap<number, readonly Thought[]> {
  const clusters = new Map<number, Thought[]>();
  for (const thought of activeThoughts(pool)) {
    const cluster = clusterOf(pool.members, thought.id);
    if (typeof cluster !== 'number') continue;
    const members = clusters.get(cluster);
    if (members) members.push(thought);
    else clusters.set(cluster, [thought]);
  }
  return clusters;
}

/** What a mind's sample follows from: the run's seed, the round and its place in it. */
export function seedFor(seed: number, round: number, mind: number): number {
  // An odd factor spreads neighbouring rounds over all seeds.
  return (Math.imul(round * 64 + mind, 0x9e3779b1) ^ seed) >>> 1;
}
