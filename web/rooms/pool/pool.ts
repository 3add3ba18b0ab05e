import type { RouteResponse } from '../../../src/protocol/routes.ts';

export type PoolClusters = RouteResponse<'GET /api/threads/:thread/clusters'>;

export interface PoolThought {
  readonly id: number;
  readonly iter: number;
  readonly text: string;
  readonly cluster: number | null;
  readonly active: boolean;
}

/** The latest thoughts of a pool with their clusters. */
export interface PoolSnapshot {
  readonly thoughts: readonly PoolThought[];
  readonly clusters: PoolClusters;
}
