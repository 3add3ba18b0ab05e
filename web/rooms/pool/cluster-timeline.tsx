import { visible } from '../../ui/text/visible.ts';
import { ClusterSign } from './map.tsx';
import type { Clusters } from './pool.ts';

const ROWS = 8;
const WIDTH = 224;
const HEIGHT = 10;

/** Which cluster spoke when: a row for each, a tick for every thought, left the oldest. */
export function ClusterTimes({ clusters }: { readonly clusters: Clusters }) {
  const { timeline } = clusters;
  const first = timeline[0]?.iter ?? 0;
  const span = Math.max(1, (timeline.at(-1)?.iter ?? 0) - first);
  const rows = clusters.clusters.slice(0, ROWS);
  const alone = clusters.noise + clusters.waiting;
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
                <ClusterSign cluster={id} />{' '}
                <span className="cluster-label" dir="auto" title={visible(label)}>
                  {visible(label)}
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
        {clusters.clusters.length > ROWS && `${clusters.clusters.length - ROWS} smaller ones; `}
        {alone} {alone === 1 ? 'thought stands' : 'thoughts stand'} alone
        {timeline.length > 0 && `; iterations ${first} to ${timeline.at(-1)?.iter}`}
      </p>
    </>
  );
}
