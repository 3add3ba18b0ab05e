import { ClusterIcon } from '../../pool/map.tsx';
import type { PoolClusters } from '../../pool/pool.ts';

const MAX_LANES = 8;

/** The lane of each cluster. The last lane holds small clusters and thoughts without one. */
export type LaneColumns = ReadonlyMap<number, number>;

/** The largest clusters in order of appearance, so that a lane does not move when another cluster grows. */
export function laneClusters(clusters: PoolClusters | undefined): readonly number[] {
  const largest = [...(clusters?.clusters ?? [])].sort((a, b) => b.active - a.active || b.total - a.total);
  return largest
    .slice(0, MAX_LANES)
    .map(({ id }) => id)
    .sort((a, b) => a - b);
}

/** A bit for each lane whose cluster is alive between two iterations, inclusive. */
export function laneMaskBetween(
  clusters: PoolClusters | undefined,
  columns: LaneColumns,
  first: number,
  last: number,
): number {
  let laneMask = 0;
  for (const each of clusters?.clusters ?? []) {
    const column = columns.get(each.id);
    if (column !== undefined && each.first <= last && each.last >= first) laneMask |= 1 << column;
  }
  return laneMask;
}

interface LanesProps {
  readonly columns: LaneColumns;
  readonly laneMask: number;
  /** The cluster of the thought on this line; undefined if there is no thought. */
  readonly cluster?: number | null | undefined;
}

/** The lanes next to one line of the timeline, with the mark of the thought's cluster. */
export function Lanes({ columns, laneMask, cluster }: LanesProps) {
  const markColumn = cluster === undefined ? undefined : (columns.get(cluster ?? -1) ?? columns.size);
  return (
    <span className="lanes" style={{ '--lanes': columns.size + 1 }}>
      {[...columns.values()].map((column) =>
        laneMask & (1 << column) ? <span key={column} className="lane" style={{ '--lane': column }} /> : null,
      )}
      {markColumn !== undefined && (
        <span className="lane-mark" style={{ '--lane': markColumn }}>
          <ClusterIcon cluster={cluster ?? null} />
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
