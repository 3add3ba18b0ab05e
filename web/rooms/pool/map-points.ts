import { useEffect, useState } from 'react';
import type { MapPoint } from '../../../src/core/pool/map.ts';
import { client } from '../../data/session.ts';
import { sleep } from '../../data/sleep.ts';
import { coalesce } from '../../data/store.ts';

const MAX_THOUGHTS = 200;
/** The map need not refresh as fast as a mind thinks. */
const THROTTLE_MS = 1_000;

/** The positions of thoughts by meaning, reloaded when there are new thoughts. */
export function useMapPoints(thread: string, newest: number): ReadonlyMap<number, MapPoint> {
  const [mapPoints, setMapPoints] = useState<ReadonlyMap<number, MapPoint>>(new Map());
  const [refresh] = useState(() =>
    coalesce(async () => {
      try {
        const { points } = await client.thread(thread).exchange.map({ latest: MAX_THOUGHTS });
        setMapPoints(new Map(points.map(({ id, x, y }) => [id, { x, y }])));
      } catch {
        // The next thought triggers another try.
      }
      await sleep(THROTTLE_MS);
    }),
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked for again whenever there are new thoughts
  useEffect(() => void refresh(), [refresh, newest]);
  return mapPoints;
}
