import type { BranchComparison, RoundItem } from '../../../../src/client/index.ts';
import { pluralize } from '../../../../src/core/text/pluralize.ts';
import { Face, Name } from '../../../ui/people/participant.tsx';
import { escapeBidi } from '../../../ui/text/escape-bidi.ts';
import { Markdown } from '../../../ui/text/markdown.tsx';
import { ThreadLink } from '../../../ui/thread-link.tsx';
import { ClusterIcon } from '../../pool/map.tsx';
import { exchangePath } from '../places.ts';
import { TermsDifference } from '../terms/diff.tsx';
import { formatTermNames } from '../terms/labels.ts';
import { describeRound } from '../timeline/round-words.ts';
import styles from './comparison.module.css';
import { type ComparisonData, MAX_ROUNDS } from './comparison-data.ts';
import { SideKey } from './side-key.tsx';

const MAX_CLUSTERS = 12;
const SIDES = ['A', 'B'] as const;

interface ComparisonSidesProps {
  readonly here: string;
  readonly other: string;
  readonly data: ComparisonData;
}

export function ComparisonSides({ here, other, data }: ComparisonSidesProps) {
  const { comparison, terms } = data;
  const { common, first_difference } = comparison;
  return (
    <>
      <div className={styles.pair}>
        <SideSummary letter="A" thread={here} side={comparison.a} />
        <SideSummary letter="B" thread={other} side={comparison.b} />
      </div>
      {common > 0 && (
        <p className={styles.same}>{common === 1 ? 'Round 1 is the same' : `Rounds 1 to ${common} are the same`}</p>
      )}
      <p className={styles.divider}>
        {first_difference ? `First difference: round ${first_difference.round}` : 'No difference yet'}
      </p>
      <RoundPairs here={here} other={other} data={data} />
      <section className={styles.section} aria-label="Clusters of both">
        <h2>Clusters</h2>
        <ClusterPairs pairs={comparison.clusters} />
      </section>
      {comparison.terms.length > 0 && (
        <section className={styles.section} aria-label="Terms of both">
          <h2>Different terms: {formatTermNames(comparison.terms)}</h2>
          <TermsDifference before={terms[0]} after={terms[1]} />
        </section>
      )}
    </>
  );
}

const PHASE_LABELS = { free_running: 'free-running', structured: 'structured' } as const;

interface SideSummaryProps {
  readonly letter: 'A' | 'B';
  readonly thread: string;
  readonly side: BranchComparison['a'];
}

function SideSummary({ letter, thread, side }: SideSummaryProps) {
  const { rounds, thoughts, audits, phase, control } = side;
  return (
    <div className={styles.side}>
      <SideKey side={letter} />
      <span>
        <ThreadLink id={thread} title="the other branch" />
        <small>
          {[pluralize(rounds, 'round'), pluralize(thoughts, 'thought'), pluralize(audits, 'audit')].join(' · ')} ·{' '}
          {PHASE_LABELS[phase]}
          {control && ' · control'}
        </small>
      </span>
    </div>
  );
}

function RoundPairs({ here, other, data }: ComparisonSidesProps) {
  const { comparison, rounds, audits } = data;
  const ends = [comparison.a.rounds, comparison.b.rounds] as const;
  const last = Math.max(...ends);
  const first = Math.max(comparison.common + 1, last - MAX_ROUNDS + 1);
  const numbers = Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => first + i);
  const auditsByRound = new Map(comparison.rounds.map((each) => [each.round, each.audits]));
  return (
    <>
      {first > comparison.common + 1 && <p className={styles.same}>Rounds before {first} are not shown.</p>}
      {numbers.map((number) => (
        <section key={number} className={styles.pair} aria-label={`Round ${number}`}>
          {([0, 1] as const).map((side) => {
            const audit = audits[side].get(auditsByRound.get(number)?.[side] ?? 0);
            const thread = side === 0 ? here : other;
            return (
              <div key={side} className={styles.cell}>
                <RoundCell
                  letter={SIDES[side]}
                  thread={thread}
                  number={number}
                  end={ends[side]}
                  round={rounds[side].get(number)}
                />
                {audit && (
                  <div className={styles.letter}>
                    <a href={exchangePath(thread, `audit.${audit.audit}`)} data-in-page>
                      Audit {audit.audit}
                    </a>
                    <Markdown text={audit.text} />
                  </div>
                )}
              </div>
            );
          })}
        </section>
      ))}
    </>
  );
}

interface RoundCellProps {
  readonly letter: 'A' | 'B';
  readonly thread: string;
  readonly number: number;
  /** The last round of this branch. */
  readonly end: number;
  readonly round: RoundItem | undefined;
}

function RoundCell({ letter, thread, number, end, round }: RoundCellProps) {
  if (!round) {
    return (
      <p className={styles.hollow}>{number === end + 1 ? `${letter} ends here` : `No round ${number} in ${letter}`}</p>
    );
  }
  return (
    <div className={styles.round}>
      <header>
        <a href={exchangePath(thread, `round.${number}`)} data-in-page>
          Round {number}
        </a>
        {letter} · {describeRound(round)}
      </header>
      {round.thoughts.map(({ id, text, author }) => (
        <div key={id} className={styles.thought}>
          <Face id={author} size="small" />
          <div>
            <span className="unseen">
              <Name id={author} />:{' '}
            </span>
            <Markdown text={text} />
          </div>
          <small>#{id}</small>
        </div>
      ))}
    </div>
  );
}

function ClusterPairs({ pairs }: { readonly pairs: BranchComparison['clusters'] }) {
  if (pairs.length === 0) return <p>Neither has a cluster yet.</p>;
  return (
    <>
      <ul className={styles.clusters}>
        {pairs.slice(0, MAX_CLUSTERS).map(({ a, b, match, likeness }) => (
          <li key={`${a?.id} ${b?.id}`} className={styles.pair}>
            <ClusterCell cluster={a} />
            <div>
              <ClusterCell cluster={b} />
              {match === 'alike' && (
                <span className={styles.count}> alike, {Math.round(likeness * 100)}% of their words</span>
              )}
            </div>
          </li>
        ))}
      </ul>
      {pairs.length > MAX_CLUSTERS && <p className={styles.count}>{pairs.length - MAX_CLUSTERS} smaller ones</p>}
    </>
  );
}

function ClusterCell({ cluster }: { readonly cluster: BranchComparison['clusters'][number]['a'] }) {
  if (!cluster) return <span className={styles.count}>not here</span>;
  return (
    <span>
      <ClusterIcon cluster={cluster.id} /> <span dir="auto">{escapeBidi(cluster.label)}</span>{' '}
      <span className={styles.count}>{cluster.active}</span>
    </span>
  );
}
