import { useEffect, useState } from 'react';
import { createHttp } from '../../../src/client/http.ts';
import type { MapPoint } from '../../../src/core/pool/map.ts';
import { coalesce } from '../../data/store.ts';

const { call } = createHttp({ url: '' });
const MAX_THOUGHTS = 200;
/** The map need not refresh as fast as a mind thinks. */
const THROTTLE_MS = 1_000;

/** The positions of thoughts by meaning, reloaded when there are new thoughts. */
export function useMapPoints(thread: string, newest: number): ReadonlyMap<number, MapPoint> {
  const [mapPoints, setMapPoints] = useState<ReadonlyMap<number, MapPoint>>(new Map());
  const [refresh] = useState(() =>
    coalesce(async () => {
      try {
        const query = { latest: MAX_THOUGHTS };
        const { points } = await call('GET /api/threads/:thread/map', { params: { thread }, query });
        setMapPoints(new Map(points.map(({ id, x, y }) => [id, { x, y }])));
      } catch {
        // The next thought triggers another try.
      }
      await new Promise((resolve) => setTimeout(resolve, THROTTLE_MS));
    }),
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked for again whenever there are new thoughts
  useEffect(() => void refresh(), [refresh, newest]);
  return mapPoints;
}
