import { ClusterSign } from '../../pool/map.tsx';
import type { Clusters } from '../../pool/pool.ts';

const MOST_LANES = 8;

/** Which cluster swims in which lane. The last lane is for those without a cluster, or with a small one. */
export type Columns = ReadonlyMap<number, number>;

/** The largest clusters, in the order they came up: a lane does not move when another cluster grows. */
export function lanesIn(clusters: Clusters | undefined): readonly number[] {
  const largest = [...(clusters?.clusters ?? [])].sort((a, b) => b.active - a.active || b.total - a.total);
  return largest
    .slice(0, MOST_LANES)
    .map(({ id }) => id)
    .sort((a, b) => a - b);
}

/** A bit for each lane whose cluster lives between two iterations, both counted. */
export function drawnBetween(clusters: Clusters | undefined, columns: Columns, first: number, last: number): number {
  let drawn = 0;
  for (const each of clusters?.clusters ?? []) {
    const column = columns.get(each.id);
    if (column !== undefined && each.first <= last && each.last >= first) drawn |= 1 << column;
  }
  return drawn;
}

interface LanesProps {
  readonly columns: Columns;
  readonly drawn: number;
  /** The cluster of the thought beside; undefined where there is none. */
  readonly cluster?: number | null | undefined;
}

/** The lanes beside one line of the timeline, with the mark of the cluster that spoke. */
export function Lanes({ columns, drawn, cluster }: LanesProps) {
  const at = cluster === undefined ? undefined : (columns.get(cluster ?? -1) ?? columns.size);
  return (
    <span className="lanes" style={{ '--lanes': columns.size + 1 }}>
      {[...columns.values()].map((column) =>
        drawn & (1 << column) ? <span key={column} className="lane" style={{ '--lane': column }} /> : null,
      )}
      {at !== undefined && (
        <span className="lane-mark" style={{ '--lane': at }}>
          <ClusterSign cluster={cluster ?? null} />
        </span>
      )}
    </span>
  );
}

declare module 'react' {
  interface CSSProperties {
    '--lanes'?: number;
    '--lane'?: number;
  }
}
