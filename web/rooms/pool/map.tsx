import { useState } from 'react';
import { escapeBidi } from '../../ui/text/escape-bidi.ts';
import { useMapPoints } from './map-points.ts';
import type { PoolSnapshot } from './pool.ts';
import './pool.css';

const SIZE = 224;
const EDGE = 10;

interface PoolMapProps {
  readonly thread: string;
  readonly pool: PoolSnapshot;
  /** Thoughts in the input of the iteration that wrote the selected sentence. */
  readonly highlighted: ReadonlySet<number>;
}

/**
 * Thoughts in two dimensions. Colour and shape show the cluster, hollow points are inactive, highlighted ones are
 * ringed.
 */
export function PoolMap({ thread, pool, highlighted }: PoolMapProps) {
  const [selectedId, setSelectedId] = useState<number>();
  const newest = pool.thoughts.at(-1);
  const mapPoints = useMapPoints(thread, newest?.id ?? 0);
  const thought = pool.thoughts.find(({ id }) => id === selectedId) ?? newest;
  const toPixels = (value: number) => EDGE + ((value + 1) / 2) * (SIZE - 2 * EDGE);
  return (
    <>
      <svg
        className="pool-map"
        viewBox={`0 0 ${SIZE} ${SIZE}`}
        role="img"
        aria-label={`Map of the last ${pool.thoughts.length} thoughts in ${pool.clusters.clusters.length} clusters`}
      >
        {pool.thoughts.map(({ id, cluster, active, text }) => {
          const point = mapPoints.get(id);
          if (!point) return null;
          const { x, y } = point;
          const classNames = [
            'dot',
            active ? '' : 'faded',
            highlighted.has(id) ? 'lit' : '',
            id === thought?.id ? 'chosen' : '',
          ];
          return (
            // The list of thoughts has the same information without a pointer.
            // biome-ignore lint/a11y/noStaticElementInteractions: see above
            <g
              key={id}
              className={classNames.filter(Boolean).join(' ')}
              transform={`translate(${toPixels(x)} ${toPixels(-y)})`}
              onClick={() => setSelectedId(id)}
              onPointerEnter={() => setSelectedId(id)}
            >
              <title>{escapeBidi(text.slice(0, 200))}</title>
              <circle className="reach" r="9" />
              <ClusterShape cluster={cluster} />
            </g>
          );
        })}
      </svg>
      {thought && (
        // A long thought scrolls, so the keyboard must be able to reach it.
        // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable
        <p className="thought" dir="auto" tabIndex={0}>
          <ClusterIcon cluster={thought.cluster} /> {escapeBidi(thought.text)}{' '}
          <span className="soft">iteration {thought.iter}</span>
        </p>
      )}
    </>
  );
}

const SHAPES = [
  'M0-4.5 4.5 0 0 4.5-4.5 0Z',
  'M-3.6-3.6h7.2v7.2h-7.2Z',
  'M0-4.6 4.6 3.6h-9.2Z',
  'M-4.6-1.5h9.2v3h-9.2Z',
];

function ClusterShape({ cluster }: { readonly cluster: number | null }) {
  if (cluster === null) return <circle className="none" r="2.6" />;
  const style = { color: `var(--hue-${cluster % 8})` };
  const shape = SHAPES[(cluster % 5) - 1];
  return shape ? <path className="shape" d={shape} style={style} /> : <circle className="shape" r="4" style={style} />;
}

/** The mark of a cluster, for use in a line of text. */
export function ClusterIcon({ cluster }: { readonly cluster: number | null }) {
  return (
    <svg
      className="cluster-sign"
      viewBox="-6 -6 12 12"
      role="img"
      aria-label={cluster === null ? 'no cluster' : `cluster ${cluster}`}
    >
      <ClusterShape cluster={cluster} />
    </svg>
  );
}
