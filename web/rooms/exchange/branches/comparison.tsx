import { useEffect, useState } from 'react';
import { sentenceFor } from '../../../data/session.ts';
import { oneAtATime, useStore } from '../../../data/store.ts';
import { rows } from '../../../data/workspace.ts';
import { useActions } from '../../../shell/actions.ts';
import { go } from '../../../shell/address.ts';
import { Refused } from '../../../ui/request.tsx';
import { visible } from '../../../ui/text/visible.ts';
import { ThreadLink } from '../../../ui/thread-link.tsx';
import { ClusterSign } from '../../pool/map.tsx';
import type { Live } from '../live-exchange.ts';
import { pathIn } from '../places.ts';
import { type Audit, type Comparison, type Round, readsOf, type Terms } from '../queries.ts';
import { TermsDifference } from '../terms/diff.tsx';
import { termNames } from '../terms/labels.ts';
import { CompareDrift } from './comparison-drift.tsx';

const ROUNDS = 60;
const CLUSTERS = 12;
/** Minds may be quick; the page needs not be. */
const REST_MS = 500;

interface Compared {
  readonly comparison: Comparison;
  readonly rounds: readonly [ReadonlyMap<number, Round>, ReadonlyMap<number, Round>];
  readonly audits: readonly [ReadonlyMap<number, Audit>, ReadonlyMap<number, Audit>];
  readonly terms: readonly [Terms, Terms];
}

/** Two branches side by side, aligned by round: where they part, what each is about, and how each drifts (X9). */
export function Compare({ live, other }: { readonly live: Live; readonly other: string }) {
  const { round } = useStore(live.status) ?? {};
  const latest = useStore(rows)?.get(other)?.last.cursor;
  const [compared, setCompared] = useState<Compared>();
  const [problem, setProblem] = useState<string>();
  const [refresh] = useState(() =>
    oneAtATime(async () => {
      await read(live.id, other).then(setCompared, (error) => setProblem(sentenceFor(error)));
      await new Promise((resolve) => setTimeout(resolve, REST_MS));
    }),
  );
  useActions('Two branches', [
    { name: 'Leave the comparison', keys: ['Escape'], act: () => go(`/exchange/${encodeURIComponent(live.id)}`) },
  ]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: read again when either of them goes on
  useEffect(() => void refresh(), [refresh, round, latest]);
  return (
    <section className="compare" aria-label="Two branches side by side">
      <p className="choices">
        <a className="act" href={`/exchange/${encodeURIComponent(live.id)}`} data-in-page title="Esc">
          Back to the rounds
        </a>
      </p>
      <Refused because={problem} />
      {compared && <SideBySide here={live.id} other={other} compared={compared} />}
    </section>
  );
}

async function read(here: string, other: string): Promise<Compared> {
  const [a, b] = [readsOf(here), readsOf(other)];
  const [comparison, ...rest] = await Promise.all([
    a.compare(other, 200),
    ...[a, b].map((side) =>
      Promise.all([side.rounds({ limit: ROUNDS }), side.audits({ limit: ROUNDS }), side.terms()] as const),
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

interface SideBySideProps {
  readonly here: string;
  readonly other: string;
  readonly compared: Compared;
}

function SideBySide({ here, other, compared }: SideBySideProps) {
  const { comparison, terms } = compared;
  const { a, b, common } = comparison;
  const parts = comparison.first_difference;
  return (
    <>
      <div className="sides">
        <Side thread={here} side={a} />
        <Side thread={other} side={b} />
      </div>
      <p>
        {common === 0 ? 'They have no round in common' : `The same up to round ${common}`}
        {parts ? `; from round ${parts.round} on they differ.` : '; nothing is different yet.'}
      </p>
      <section aria-label="Drift of both">
        <h2>Drift</h2>
        <CompareDrift rounds={comparison.rounds} common={common} />
      </section>
      <section aria-label="Clusters of both">
        <h2>Clusters</h2>
        <ClusterPairs pairs={comparison.clusters} />
      </section>
      {comparison.terms.length > 0 && (
        <section aria-label="Terms of both">
          <h2>Terms that differ: {termNames(comparison.terms)}</h2>
          <TermsDifference before={terms[0]} after={terms[1]} />
        </section>
      )}
      <section aria-label="Rounds of both">
        <h2>Rounds{common > 0 && `, after the ${common} they share`}</h2>
        <Rounds here={here} other={other} compared={compared} />
      </section>
    </>
  );
}

const PHASES = { free_running: 'running freely', structured: 'structured' } as const;

function Side({ thread, side }: { readonly thread: string; readonly side: Comparison['a'] }) {
  return (
    <div>
      <p className="side-title">
        <ThreadLink id={thread} title="the other branch" />
      </p>
      <p className="soft">
        {side.rounds} rounds · {side.thoughts} thoughts · {side.audits} {side.audits === 1 ? 'audit' : 'audits'} ·{' '}
        {PHASES[side.phase]}
        {side.control && ' · control'}
      </p>
    </div>
  );
}

function ClusterPairs({ pairs }: { readonly pairs: Comparison['clusters'] }) {
  if (pairs.length === 0) return <p className="soft">Neither has a cluster yet.</p>;
  return (
    <>
      <ul className="cluster-pairs">
        {pairs.slice(0, CLUSTERS).map(({ a, b, match, likeness }) => (
          <li key={`${a?.id} ${b?.id}`} className="sides">
            <OneCluster cluster={a} />
            <div>
              <OneCluster cluster={b} />
              {match === 'alike' && <span className="soft"> alike, {Math.round(likeness * 100)} % of their words</span>}
            </div>
          </li>
        ))}
      </ul>
      {pairs.length > CLUSTERS && <p className="soft">{pairs.length - CLUSTERS} smaller ones</p>}
    </>
  );
}

function OneCluster({ cluster }: { readonly cluster: Comparison['clusters'][number]['a'] }) {
  if (!cluster) return <span className="soft nothing">not here</span>;
  return (
    <span className="one-cluster">
      <ClusterSign cluster={cluster.id} /> <span dir="auto">{visible(cluster.label)}</span>{' '}
      <span className="soft">{cluster.active}</span>
    </span>
  );
}

function Rounds({ here, other, compared }: SideBySideProps) {
  const { comparison, rounds, audits } = compared;
  const last = Math.max(comparison.a.rounds, comparison.b.rounds);
  const first = Math.max(comparison.common + 1, last - ROUNDS + 1);
  const numbers = Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => last - i);
  const audited = new Map(comparison.rounds.map((each) => [each.round, each.audits]));
  if (numbers.length === 0) return <p className="soft">They share every round so far.</p>;
  return (
    <>
      {numbers.map((number) => (
        <section key={number} className="sides pair" aria-label={`Round ${number}`}>
          {([0, 1] as const).map((side) => {
            const audit = audits[side].get(audited.get(number)?.[side] ?? 0);
            const thread = side === 0 ? here : other;
            return (
              <div key={side}>
                {audit && (
                  <p className="letter-text" dir="auto">
                    <a className="mark" href={pathIn(thread, `audit.${audit.audit}`)} data-in-page>
                      [AUDIT]
                    </a>{' '}
                    {visible(audit.text)}
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
  readonly round: Round | undefined;
}

function RoundCell({ thread, number, round }: RoundCellProps) {
  if (!round) return <p className="soft nothing">no round {number} here</p>;
  return (
    <div className="round-cell">
      <a className="soft" href={pathIn(thread, `round.${number}`)} data-in-page>
        {number}
      </a>
      <ul>
        {round.thoughts.map(({ id, text, cluster }) => (
          <li key={id}>
            <ClusterSign cluster={cluster} /> <span dir="auto">{visible(text)}</span>
          </li>
        ))}
        {round.thoughts.length === 0 && <li className="soft">silence</li>}
      </ul>
    </div>
  );
}
