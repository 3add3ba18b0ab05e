import type { Attachment } from '../../attachments/attachment.ts';
import { clusterOf } from '../../pool/members.ts';
import { type ShownThought, sampleThoughts } from '../../pool/sample.ts';
import { activeThoughts, ageOf, type Thought, type ThoughtPool, thoughtOf } from '../../pool/state.ts';
import { markedText } from '../entries.ts';
import { announcedTerms, auditTerms, type Exchange, nextRound, type TermsVersion, termsAt } from '../state.ts';
import { TEXT_TERMS, termsText } from '../terms/terms-text.ts';

/** A text that every participant must know, with its id (X3). */
export interface RequiredText {
  readonly id: 'auditor_spec' | 'mind_prompt' | 'observer_role' | 'terms' | 'latest_audit' | `announced_${number}`;
  readonly hash: string;
  readonly text: string;
  /** For an announcement: the first round it is in effect. */
  readonly from?: number;
}

export interface AuthoredThought extends ShownThought {
  readonly author: string;
}

/** A cluster, summarized in one line. */
export interface ClusterLine {
  readonly id: number;
  readonly size: number;
  readonly share: number;
  /** The cluster's latest thought, and how its text begins. */
  readonly latest: number;
  readonly label: string;
}

/** The complete input of a mind (X14). */
export interface ExchangeMindInput {
  readonly question: string;
  readonly meta: {
    readonly self: string;
    readonly round: number;
    readonly iter: number;
    readonly minds: readonly string[];
  };
  readonly version: number;
  readonly terms: readonly RequiredText[];
  /** Texts with their marks; each is shown until the next audit. */
  readonly latest: {
    readonly observer: readonly string[];
    readonly injections: readonly string[];
    readonly restarts: readonly string[];
  };
  /** The files at those texts, by text; absent if none has any. */
  readonly attached?: Readonly<Record<'observer' | 'injections', readonly (readonly Attachment[])[]>>;
  readonly clusters: readonly ClusterLine[];
  readonly thoughts: readonly AuthoredThought[];
}

/** The complete input of the auditor. */
export interface AuditInput extends Omit<ExchangeMindInput, 'meta'> {
  readonly meta: { readonly round: number; readonly audit: number };
}

const MAX_CLUSTERS = 12;
const LABEL_LENGTH = 80;

/** Every mind of a round samples the pool as it was when the round began, in whatever order they run. */
export function buildMindInput(state: Exchange, mind: number, seed: number): ExchangeMindInput {
  const round = nextRound(state);
  const termsVersion = termsAt(state, round);
  const { terms, version } = termsVersion;
  const { pool, calls } = state.current;
  const iter = calls + mind + 1;
  const { sampled } = sampleThoughts(pool, {
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
    terms: requiredTexts(state, round, termsVersion),
    ...latestTexts(state),
    clusters: terms.cluster_feed ? clusterFeed(pool) : [],
    thoughts: sampled.map((thought) => ({ ...thought, author: thoughtOf(pool, thought.id)?.author ?? '' })),
  };
}

/** The whole active pool, except for thoughts the observer hid. */
export function buildAuditInput(state: Exchange): AuditInput {
  const round = Math.max(1, state.rounds.length);
  const termsVersion = auditTerms(state);
  const { pool, calls } = state;
  const clusterMembers = membersByCluster(pool);
  return {
    question: termsVersion.terms.question,
    meta: { round: state.rounds.length, audit: state.audits.length + 1 },
    version: termsVersion.version,
    terms: requiredTexts(state, round, termsVersion),
    ...latestTexts(state),
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
          cluster: cluster === null ? null : { id: cluster, size: clusterMembers.get(cluster)?.length ?? 0 },
        };
      }),
  };
}

/** Texts that appear in every input, whatever the sample (X3). */
function requiredTexts(state: Exchange, round: number, { terms, hashes }: TermsVersion): readonly RequiredText[] {
  const audit = state.audits.at(-1)?.content;
  return [
    ...TEXT_TERMS.map((id) => ({ id, hash: hashes[id], text: terms[id] })),
    { id: 'terms', hash: hashes.terms, text: termsText(terms) },
    ...(audit
      ? [{ id: 'latest_audit' as const, hash: audit.hash, text: markedText({ type: 'audit', text: audit.text }) }]
      : []),
    ...announcedTerms(state, round).map((version) => ({
      id: `announced_${version.version}` as const,
      hash: version.hashes.terms,
      text: announcementText(version),
      from: version.effective,
    })),
  ];
}

function announcementText({ terms, changed, reason, effective, by }: TermsVersion): string {
  const shortTerms = changed.filter((name) => !(TEXT_TERMS as readonly string[]).includes(name));
  const lines = termsText(terms)
    .split('\n')
    .filter((line) => shortTerms.some((name) => line.startsWith(`${name}: `)));
  const longTerms = (['question', ...TEXT_TERMS] as const)
    .filter((name) => changed.includes(name))
    .map((name) => `${name}:\n${terms[name]}`);
  const why = reason === undefined ? '' : ` ${reason}`;
  return [`From round ${effective} on, as ${by} decided:${why}`, ...lines, ...longTerms].join('\n');
}

function latestTexts({ latest }: Exchange): Pick<ExchangeMindInput, 'latest' | 'attached'> {
  const { observer, injections, restarts } = latest;
  const filesAt = (entries: typeof observer) => entries.map(({ attachments = [] }) => attachments);
  const hasFiles = [...observer, ...injections].some(({ attachments }) => attachments);
  return {
    latest: {
      observer: observer.map(markedText),
      injections: injections.map(markedText),
      restarts: restarts.map(markedText),
    },
    ...(hasFiles && { attached: { observer: filesAt(observer), injections: filesAt(injections) } }),
  };
}

/** The largest clusters of the active pool (X10). */
function clusterFeed(pool: ThoughtPool): readonly ClusterLine[] {
  const active = activeThoughts(pool).length;
  return [...membersByCluster(pool)]
    .map(([id, members]) => {
      const last = members.at(-1) as Thought;
      const label = [...last.text.slice(0, 2 * LABEL_LENGTH).replace(/\s+/g, ' ')].slice(0, LABEL_LENGTH).join('');
      return { id, size: members.length, share: members.length / active, latest: last.id, label };
    })
    .sort((a, b) => b.size - a.size || a.id - b.id)
    .slice(0, MAX_CLUSTERS);
}

function membersByCluster(pool: ThoughtPool): ReadonlyMap<number, readonly Thought[]> {
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

/** Derives the seed of a mind's sample from the run's seed, the round and the mind's position. */
export function seedFor(seed: number, round: number, mind: number): number {
  // An odd factor spreads consecutive rounds over all seeds.
  return (Math.imul(round * 64 + mind, 0x9e3779b1) ^ seed) >>> 1;
}
