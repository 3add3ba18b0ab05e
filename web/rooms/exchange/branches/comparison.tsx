import { ArrowLeftRight, ArrowRight, X } from 'lucide-react';
import { useEffect, useState } from 'react';
import { describeError } from '../../../data/session.ts';
import { sleep } from '../../../data/sleep.ts';
import { coalesce, useStore } from '../../../data/store.ts';
import { threadRows } from '../../../data/workspace.ts';
import { useActions } from '../../../shell/actions.ts';
import { navigate } from '../../../shell/address.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { RefusalMessage } from '../../../ui/refusal.tsx';
import { escapeBidi } from '../../../ui/text/escape-bidi.ts';
import { RoomHeader } from '../../room-header.tsx';
import { SidePanel } from '../../side-panel.tsx';
import type { LiveExchange } from '../live-exchange.ts';
import { exchangePath } from '../places.ts';
import room from '../room.module.css';
import styles from './comparison.module.css';
import { type ComparisonData, loadComparison } from './comparison-data.ts';
import { ComparisonDrift } from './comparison-drift.tsx';
import { ComparisonSides } from './comparison-sides.tsx';

/** The page need not refresh as fast as minds think. */
const THROTTLE_MS = 500;

/** Two branches side by side, aligned by round: where they diverge, their clusters, and their drift (X9). */
export function CompareRoom({ exchange, other }: { readonly exchange: LiveExchange; readonly other: string }) {
  const { round } = useStore(exchange.status) ?? {};
  const rows = useStore(threadRows);
  const otherCursor = rows?.get(other)?.last.cursor;
  const [data, setData] = useState<ComparisonData>();
  const [problem, setProblem] = useState<string>();
  const [refresh] = useState(() =>
    coalesce(async () => {
      await loadComparison(exchange.queries, other).then(setData, (error) => setProblem(describeError(error)));
      await sleep(THROTTLE_MS);
    }),
  );
  const close = () => navigate(`/exchange/${encodeURIComponent(exchange.id)}`);
  const swap = () => navigate(exchangePath(other, `compare.${exchange.id}`));
  const continueB = () => navigate(`/exchange/${encodeURIComponent(other)}`);
  useActions('Two branches', [
    { name: 'Close the comparison', keys: ['Escape'], act: close },
    { name: 'Swap', act: swap },
    { name: 'Continue with B', act: continueB },
  ]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: read again when either of them goes on
  useEffect(() => void refresh(), [refresh, round, otherCursor]);
  const common = data?.comparison.common;
  return (
    <>
      <main className={`room ${room.room}`} aria-label="Exchange">
        <RoomHeader
          id={exchange.id}
          title={<h1>Compare branches</h1>}
          panelLabel="Metrics of both"
          facts={
            <span dir="auto">
              {escapeBidi(rows?.get(exchange.id)?.title ?? '')}
              {common !== undefined && ` · ${describeCommon(common)}`}
            </span>
          }
          actions={
            <Button kind="quiet" icon={ArrowLeftRight} onClick={swap}>
              Swap
            </Button>
          }
        />
        <div className={room.area}>
          <section className={room.wide} aria-label="Two branches side by side">
            <RefusalMessage reason={problem} />
            {data && <ComparisonSides here={exchange.id} other={other} data={data} />}
          </section>
        </div>
        <div className={styles.bar}>
          <Button kind="primary" icon={ArrowRight} onClick={continueB}>
            Continue with B
          </Button>
          <Button kind="quiet" icon={X} shortcut="Esc" onClick={close}>
            Close
          </Button>
        </div>
      </main>
      <SidePanel label="Metrics of both">
        {data && <ComparisonDrift rounds={data.comparison.rounds} common={data.comparison.common} />}
      </SidePanel>
    </>
  );
}

function describeCommon(common: number): string {
  if (common === 0) return 'A and B share no round';
  return common === 1 ? 'A and B share round 1' : `A and B share rounds 1 to ${common}`;
}
