import { useState } from 'react';
import { visible } from '../../ui/text/visible.ts';
import { usePlaces } from './map-points.ts';
import type { Pool } from './pool.ts';
import './pool.css';

const SIZE = 224;
const EDGE = 10;

interface PoolMapProps {
  readonly thread: string;
  readonly pool: Pool;
  /** Thoughts that were shown when the touched sentence was written. */
  readonly lit: ReadonlySet<number>;
}

/** Thoughts in two dimensions: colour and shape are their cluster, hollow ones are no longer active; the lit ones are ringed. */
export function PoolMap({ thread, pool, lit }: PoolMapProps) {
  const [chosen, setChosen] = useState<number>();
  const newest = pool.thoughts.at(-1);
  const places = usePlaces(thread, newest?.id ?? 0);
  const thought = pool.thoughts.find(({ id }) => id === chosen) ?? newest;
  const at = (value: number) => EDGE + ((value + 1) / 2) * (SIZE - 2 * EDGE);
  return (
    <>
      <svg
        className="pool-map"
        viewBox={`0 0 ${SIZE} ${SIZE}`}
        role="img"
        aria-label={`Map of the last ${pool.thoughts.length} thoughts in ${pool.clusters.clusters.length} clusters`}
      >
        {pool.thoughts.map(({ id, cluster, active, text }) => {
          const place = places.get(id);
          if (!place) return null;
          const { x, y } = place;
          const names = ['dot', active ? '' : 'faded', lit.has(id) ? 'lit' : '', id === thought?.id ? 'chosen' : ''];
          return (
            // The list of thoughts says the same to whoever has no pointer.
            // biome-ignore lint/a11y/noStaticElementInteractions: see above
            <g
              key={id}
              className={names.filter(Boolean).join(' ')}
              transform={`translate(${at(x)} ${at(-y)})`}
              onClick={() => setChosen(id)}
              onPointerEnter={() => setChosen(id)}
            >
              <title>{visible(text.slice(0, 200))}</title>
              <circle className="reach" r="9" />
              <ClusterMark cluster={cluster} />
            </g>
          );
        })}
      </svg>
      {thought && (
        // A long one scrolls by itself; the keyboard must be able to reach it.
        // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable
        <p className="thought" dir="auto" tabIndex={0}>
          <ClusterSign cluster={thought.cluster} /> {visible(thought.text)}{' '}
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

function ClusterMark({ cluster }: { readonly cluster: number | null }) {
  if (cluster === null) return <circle className="none" r="2.6" />;
  const style = { color: `var(--hue-${cluster % 8})` };
  const shape = SHAPES[(cluster % 5) - 1];
  return shape ? <path className="shape" d={shape} style={style} /> : <circle className="shape" r="4" style={style} />;
}

/** The mark of a cluster, in a line of text. */
export function ClusterSign({ cluster }: { readonly cluster: number | null }) {
  return (
    <svg
      className="cluster-sign"
      viewBox="-6 -6 12 12"
      role="img"
      aria-label={cluster === null ? 'no cluster' : `cluster ${cluster}`}
    >
      <ClusterMark cluster={cluster} />
    </svg>
  );
}
