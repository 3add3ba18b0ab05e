import { mapOf, type Point } from '../../src/core/pool/map.ts';
import type { Answer } from '../../src/protocol/routes.ts';

export type Clusters = Answer<'GET /api/threads/:thread/clusters'>;

export interface PoolThought {
  readonly id: number;
  readonly iter: number;
  readonly text: string;
  readonly cluster: number | null;
  readonly active: boolean;
}

/** The latest thoughts of a pool with their clusters. */
export interface Pool {
  readonly thoughts: readonly PoolThought[];
  readonly clusters: Clusters;
}

const WORD_PLACES = 96;
const CLUSTER_PLACES = 32;

/** Where each thought lies on the map: near one another are those of one cluster, and those that share words. */
export function placesOf(thoughts: readonly PoolThought[]): ReadonlyMap<number, Point> {
  const vectors = thoughts.map(({ text, cluster }) => {
    const vector = new Float32Array(WORD_PLACES + CLUSTER_PLACES);
    for (const [word] of text.toLowerCase().matchAll(/[\p{L}\p{N}]{3,}/gu)) vector[hash(word) % WORD_PLACES]! += 1;
    const length = Math.hypot(...vector) || 1;
    for (let i = 0; i < WORD_PLACES; i++) vector[i]! /= length;
    if (cluster !== null) vector[WORD_PLACES + (cluster % CLUSTER_PLACES)] = 0.5;
    return vector;
  });
  const points = mapOf(vectors);
  return new Map(thoughts.map(({ id }, i) => [id, points[i] as Point]));
}

function hash(word: string): number {
  let value = 7;
  for (let i = 0; i < word.length; i++) value = (value * 31 + word.charCodeAt(i)) % 1_000_003;
  return value;
}
