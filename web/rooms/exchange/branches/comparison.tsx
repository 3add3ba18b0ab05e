import { useEffect, useState } from 'react';
import type { AuditItem, BranchComparison, RoundItem, TermValues } from '../../../../src/client/index.ts';
import { client, describeError } from '../../../data/session.ts';
import { sleep } from '../../../data/sleep.ts';
import { coalesce, useStore } from '../../../data/store.ts';
import { threadRows } from '../../../data/workspace.ts';
import { useActions } from '../../../shell/actions.ts';
import { navigate } from '../../../shell/address.ts';
import { RefusalMessage } from '../../../ui/refusal.tsx';
import { escapeBidi } from '../../../ui/text/escape-bidi.ts';
import { ThreadLink } from '../../../ui/thread-link.tsx';
import { ClusterIcon } from '../../pool/map.tsx';
import type { LiveExchange } from '../live-exchange.ts';
import { exchangePath } from '../places.ts';
import { TermsDifference } from '../terms/diff.tsx';
import { formatTermNames } from '../terms/labels.ts';
import { ComparisonDrift } from './comparison-drift.tsx';

const MAX_ROUNDS = 60;
const MAX_CLUSTERS = 12;
/** The page need not refresh as fast as minds think. */
const THROTTLE_MS = 500;

interface ComparisonData {
  readonly comparison: BranchComparison;
  readonly rounds: readonly [ReadonlyMap<number, RoundItem>, ReadonlyMap<number, RoundItem>];
  readonly audits: readonly [ReadonlyMap<number, AuditItem>, ReadonlyMap<number, AuditItem>];
  readonly terms: readonly [TermValues, TermValues];
}

/** Two branches side by side, aligned by round: where they diverge, their clusters, and their drift (X9). */
export function ComparisonView({ exchange, other }: { readonly exchange: LiveExchange; readonly other: string }) {
  const { round } = useStore(exchange.status) ?? {};
  const otherCursor = useStore(threadRows)?.get(other)?.last.cursor;
  const [data, setData] = useState<ComparisonData>();
  const [problem, setProblem] = useState<string>();
  const [refresh] = useState(() =>
    coalesce(async () => {
      await loadComparison(exchange.queries, other).then(setData, (error) => setProblem(describeError(error)));
      await sleep(THROTTLE_MS);
    }),
  );
  useActions('Two branches', [
    {
      name: 'Leave the comparison',
      keys: ['Escape'],
      act: () => navigate(`/exchange/${encodeURIComponent(exchange.id)}`),
    },
  ]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: read again when either of them goes on
  useEffect(() => void refresh(), [refresh, round, otherCursor]);
  return (
    <section className="compare" aria-label="Two branches side by side">
      <p className="choices">
        <a className="act" href={`/exchange/${encodeURIComponent(exchange.id)}`} data-in-page title="Esc">
          Back to the rounds
        </a>
      </p>
      <RefusalMessage reason={problem} />
      {data && <ComparisonSides here={exchange.id} other={other} data={data} />}
    </section>
  );
}

async function loadComparison(a: LiveExchange['queries'], other: string): Promise<ComparisonData> {
  const b = client.thread(other).exchange;
  const [comparison, ...rest] = await Promise.all([
    a.compare(other),
    ...[a, b].map((side) =>
      Promise.all([side.rounds({ limit: MAX_ROUNDS }), side.audits({ limit: MAX_ROUNDS }), side.terms()] as const),
    ),
  ]);
  const [left, right] = rest as [(typeof rest)[number], (typeof rest)[number]];
  const rounds = (side: typeof left) => new Map(side[0].rounds.map((each) => [each.round, each]));
  const audits = (side: typeof left) => new Map(side[1].audits.map((each) => [each.audit, each]));
  return {
    comparison,
    rounds: [rounds(left), rounds(right)],
    audits: [audits(left), audits(right)],
    terms: [left[2].now.terms, right[2].now.terms],
  };
}

interface ComparisonSidesProps {
  readonly here: string;
  readonly other: string;
  readonly data: ComparisonData;
}

function ComparisonSides({ here, other, data }: ComparisonSidesProps) {
  const { comparison, terms } = data;
  const { a, b, common } = comparison;
  const firstDifference = comparison.first_difference;
  return (
    <>
      <div className="sides">
        <SideSummary thread={here} side={a} />
        <SideSummary thread={other} side={b} />
      </div>
      <p>
        {common === 0 ? 'They have no round in common' : `The same up to round ${common}`}
        {firstDifference ? `; from round ${firstDifference.round} on they differ.` : '; nothing is different yet.'}
      </p>
      <section aria-label="Drift of both">
        <h2>Drift</h2>
        <ComparisonDrift rounds={comparison.rounds} common={common} />
      </section>
      <section aria-label="Clusters of both">
        <h2>Clusters</h2>
        <ClusterPairs pairs={comparison.clusters} />
      </section>
      {comparison.terms.length > 0 && (
        <section aria-label="Terms of both">
          <h2>Terms that differ: {formatTermNames(comparison.terms)}</h2>
          <TermsDifference before={terms[0]} after={terms[1]} />
        </section>
      )}
      <section aria-label="Rounds of both">
        <h2>Rounds{common > 0 && `, after the ${common} they share`}</h2>
        <RoundPairs here={here} other={other} data={data} />
      </section>
    </>
  );
}

const PHASE_LABELS = { free_running: 'running freely', structured: 'structured' } as const;

function SideSummary({ thread, side }: { readonly thread: string; readonly side: BranchComparison['a'] }) {
  return (
    <div>
      <p className="side-title">
        <ThreadLink id={thread} title="the other branch" />
      </p>
      <p className="soft">
        {side.rounds} rounds · {side.thoughts} thoughts · {side.audits} {side.audits === 1 ? 'audit' : 'audits'} ·{' '}
        {PHASE_LABELS[side.phase]}
        {side.control && ' · control'}
      </p>
    </div>
  );
}

function ClusterPairs({ pairs }: { readonly pairs: BranchComparison['clusters'] }) {
  if (pairs.length === 0) return <p className="soft">Neither has a cluster yet.</p>;
  return (
    <>
      <ul className="cluster-pairs">
        {pairs.slice(0, MAX_CLUSTERS).map(({ a, b, match, likeness }) => (
          <li key={`${a?.id} ${b?.id}`} className="sides">
            <ClusterCell cluster={a} />
            <div>
              <ClusterCell cluster={b} />
              {match === 'alike' && <span className="soft"> alike, {Math.round(likeness * 100)} % of their words</span>}
            </div>
          </li>
        ))}
      </ul>
      {pairs.length > MAX_CLUSTERS && <p className="soft">{pairs.length - MAX_CLUSTERS} smaller ones</p>}
    </>
  );
}

function ClusterCell({ cluster }: { readonly cluster: BranchComparison['clusters'][number]['a'] }) {
  if (!cluster) return <span className="soft nothing">not here</span>;
  return (
    <span className="one-cluster">
      <ClusterIcon cluster={cluster.id} /> <span dir="auto">{escapeBidi(cluster.label)}</span>{' '}
      <span className="soft">{cluster.active}</span>
    </span>
  );
}

function RoundPairs({ here, other, data }: ComparisonSidesProps) {
  const { comparison, rounds, audits } = data;
  const last = Math.max(comparison.a.rounds, comparison.b.rounds);
  const first = Math.max(comparison.common + 1, last - MAX_ROUNDS + 1);
  const numbers = Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => last - i);
  const auditsByRound = new Map(comparison.rounds.map((each) => [each.round, each.audits]));
  if (numbers.length === 0) return <p className="soft">They share every round so far.</p>;
  return (
    <>
      {numbers.map((number) => (
        <section key={number} className="sides pair" aria-label={`Round ${number}`}>
          {([0, 1] as const).map((side) => {
            const audit = audits[side].get(auditsByRound.get(number)?.[side] ?? 0);
            const thread = side === 0 ? here : other;
            return (
              <div key={side}>
                {audit && (
                  <p className="letter-text" dir="auto">
                    <a className="mark" href={exchangePath(thread, `audit.${audit.audit}`)} data-in-page>
                      [AUDIT]
                    </a>{' '}
                    {escapeBidi(audit.text)}
                  </p>
                )}
                <RoundCell thread={thread} number={number} round={rounds[side].get(number)} />
              </div>
            );
          })}
        </section>
      ))}
      {first > comparison.common + 1 && <p className="soft">Rounds before {first} are not shown here.</p>}
    </>
  );
}

interface RoundCellProps {
  readonly thread: string;
  readonly number: number;
  readonly round: RoundItem | undefined;
}

function RoundCell({ thread, number, round }: RoundCellProps) {
  if (!round) return <p className="soft nothing">no round {number} here</p>;
  return (
    <div className="round-cell">
      <a className="soft" href={exchangePath(thread, `round.${number}`)} data-in-page>
        {number}
      </a>
      <ul>
        {round.thoughts.map(({ id, text, cluster }) => (
          <li key={id}>
            <ClusterIcon cluster={cluster} /> <span dir="auto">{escapeBidi(text)}</span>
          </li>
        ))}
        {round.thoughts.length === 0 && <li className="soft">silence</li>}
      </ul>
    </div>
  );
}
