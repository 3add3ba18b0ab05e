import { useEffect, useState } from 'react';
import { createHttp } from '../../../src/client/http.ts';
import type { MapPoint } from '../../../src/core/pool/map.ts';
import { coalesce } from '../../data/store.ts';

const { call } = createHttp({ url: '' });
const MAX_THOUGHTS = 200;
/** A mind may be quick; the map needs not be. */
const THROTTLE_MS = 1_000;

/** Where thoughts lie by what they mean; asked for again when there are others. */
export function useMapPoints(thread: string, newest: number): ReadonlyMap<number, MapPoint> {
  const [mapPoints, setMapPoints] = useState<ReadonlyMap<number, MapPoint>>(new Map());
  const [refresh] = useState(() =>
    coalesce(async () => {
      try {
        const query = { latest: MAX_THOUGHTS };
        const { points } = await call('GET /api/threads/:thread/map', { params: { thread }, query });
        setMapPoints(new Map(points.map(({ id, x, y }) => [id, { x, y }])));
      } catch {
        // The next thought asks again.
      }
      await new Promise((resolve) => setTimeout(resolve, THROTTLE_MS));
    }),
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked for again whenever there are new thoughts
  useEffect(() => void refresh(), [refresh, newest]);
  return mapPoints;
}
