import { formatCount, pluralize } from '../../../src/core/text/pluralize.ts';
import { escapeBidi } from '../../ui/text/escape-bidi.ts';
import { ClusterIcon } from './map.tsx';
import type { PoolClusters } from './pool.ts';

const MAX_ROWS = 8;
const WIDTH = 224;
const HEIGHT = 10;

interface ClusterTimelineProps {
  readonly clusters: PoolClusters;
  /** Says which iterations the ticks stand for, where iterations are what the room counts. */
  readonly hasSpan?: boolean;
}

/** When each cluster was active: one row per cluster, one tick per thought, oldest on the left. */
export function ClusterTimeline({ clusters, hasSpan = false }: ClusterTimelineProps) {
  const { timeline } = clusters;
  const first = timeline[0]?.iter ?? 0;
  const span = Math.max(1, (timeline.at(-1)?.iter ?? 0) - first);
  const rows = clusters.clusters.slice(0, MAX_ROWS);
  const unclustered = clusters.noise + clusters.waiting;
  return (
    <>
      <ol className="cluster-times">
        {rows.map(({ id, active, total, label }) => {
          const iters = timeline.flatMap(({ iter, thoughts }) =>
            thoughts.some(({ cluster }) => cluster === id) ? [iter] : [],
          );
          return (
            <li key={id}>
              <p>
                <ClusterIcon cluster={id} />{' '}
                <span className="cluster-label" dir="auto" title={escapeBidi(label)}>
                  {escapeBidi(label)}
                </span>{' '}
                <span className="soft" title={`${active} active of ${total}`}>
                  {pluralize(total, 'thought')}
                </span>
              </p>
              <svg
                viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
                role="img"
                aria-label={`Spoke ${formatCount(iters.length, 'time')}`}
              >
                <path className="axis" d={`M0 ${HEIGHT / 2}H${WIDTH}`} />
                {iters.map((iter) => (
                  <rect
                    key={iter}
                    x={1 + ((iter - first) / span) * (WIDTH - 4)}
                    y="1"
                    width="2"
                    height={HEIGHT - 2}
                    style={{ fill: `var(--hue-${id % 8})` }}
                  />
                ))}
              </svg>
            </li>
          );
        })}
      </ol>
      <p className="soft">
        {[
          rows.length === 0 && 'No clusters yet',
          clusters.clusters.length > MAX_ROWS && formatCount(clusters.clusters.length - MAX_ROWS, 'smaller cluster'),
          unclustered > 0 && `${pluralize(unclustered, 'thought')} on ${unclustered === 1 ? 'its' : 'their'} own`,
          hasSpan && timeline.length > 0 && `iterations ${first} to ${timeline.at(-1)?.iter}`,
        ]
          .filter(Boolean)
          .join(' · ')}
      </p>
    </>
  );
}
