import { Map as MapIcon } from 'lucide-react';
import { useMemo, useState } from 'react';
import type { ExchangeStatus } from '../../../../src/client/index.ts';
import { useStore } from '../../../data/store.ts';
import { useActions } from '../../../shell/actions.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Dialog } from '../../../ui/floating/dialog.tsx';
import { ClusterTimeline } from '../../pool/cluster-timeline.tsx';
import { PoolMap } from '../../pool/map.tsx';
import type { LiveExchange } from '../live-exchange.ts';
import { MEASURE_NAMES } from './measures.ts';
import { Metric } from './metric.tsx';
import styles from './panel.module.css';

const NO_THOUGHTS: ReadonlySet<number> = new Set();
const MAX_MAPPED = 200;

interface ExchangePanelProps {
  readonly exchange: LiveExchange;
  readonly status: ExchangeStatus;
}

/** The side panel: what each measure of the pool tells, its clusters, and the map of thoughts. */
export function ExchangePanel({ exchange, status }: ExchangePanelProps) {
  const drift = useStore(exchange.drift);
  const { rounds, audits } = useStore(exchange.timeline);
  const clusters = useStore(exchange.clusters);
  const [isMapOpen, setMapOpen] = useState(false);
  const activeAfter = status.thoughts - status.active;
  const thoughts = useMemo(
    () =>
      rounds
        .flatMap(({ thoughts }) => thoughts)
        .sort((a, b) => a.id - b.id)
        .slice(-MAX_MAPPED)
        .map((thought) => ({ ...thought, active: thought.id > activeAfter })),
    [rounds, activeAfter],
  );
  const hasMap = clusters !== undefined && thoughts.length > 0;
  useActions('This exchange', [{ name: 'Open the map of thoughts', act: () => setMapOpen(true), when: hasMap }]);
  const [first, last] = [drift[0]?.round, drift.at(-1)?.round];
  return (
    <div className={styles.panel}>
      {first === undefined ? (
        <p className={styles.note}>
          After each round you see here how the thoughts drift: how much ground they cover, how new they are, and
          whether one theme takes over.
        </p>
      ) : (
        <div>
          {MEASURE_NAMES.map((name) => (
            <Metric key={name} name={name} rounds={drift} audits={audits.map(({ round }) => round)} />
          ))}
          <p className={styles.note}>
            {first === last ? `Round ${first}.` : `Rounds ${first} to ${last}.`}
            {audits.length > 0 && ' Dashed lines are audits.'}
          </p>
        </div>
      )}
      {hasMap && (
        <section aria-label="Clusters">
          <h2>Clusters</h2>
          <ClusterTimeline clusters={clusters} />
          <p className={styles.note}>
            <Button icon={MapIcon} onClick={() => setMapOpen(true)}>
              Open the map of thoughts
            </Button>
          </p>
        </section>
      )}
      {hasMap && isMapOpen && (
        <Dialog
          title="Map of thoughts"
          description="Similar thoughts are close together. Shapes and colours are clusters; hollow ones are no longer active."
          size="large"
          onClose={() => setMapOpen(false)}
        >
          <div className={styles.map}>
            <PoolMap thread={exchange.id} pool={{ thoughts, clusters }} highlighted={NO_THOUGHTS} />
          </div>
        </Dialog>
      )}
    </div>
  );
}
