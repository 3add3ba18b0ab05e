import { escapeBidi } from '../../ui/text/escape-bidi.ts';
import { ClusterIcon } from './map.tsx';
import type { PoolClusters } from './pool.ts';

const MAX_ROWS = 8;
const WIDTH = 224;
const HEIGHT = 10;

/** When each cluster was active: one row per cluster, one tick per thought, oldest on the left. */
export function ClusterTimeline({ clusters }: { readonly clusters: PoolClusters }) {
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
                  {active === total ? total : `${active}/${total}`}
                </span>
              </p>
              <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={`Spoke in ${iters.length} iterations`}>
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
        {rows.length === 0 ? 'No clusters yet; ' : ''}
        {clusters.clusters.length > MAX_ROWS && `${clusters.clusters.length - MAX_ROWS} smaller ones; `}
        {unclustered} {unclustered === 1 ? 'thought stands' : 'thoughts stand'} alone
        {timeline.length > 0 && `; iterations ${first} to ${timeline.at(-1)?.iter}`}
      </p>
    </>
  );
}
