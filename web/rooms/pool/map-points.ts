import { useEffect, useState } from 'react';
import { createHttp } from '../../../src/client/http.ts';
import type { Point } from '../../../src/core/pool/map.ts';
import { oneAtATime } from '../../data/store.ts';

const { call } = createHttp({ url: '' });
const THOUGHTS = 200;
/** A mind may be quick; the map needs not be. */
const REST_MS = 1_000;

/** Where thoughts lie by what they mean; asked for again when there are others. */
export function usePlaces(thread: string, newest: number): ReadonlyMap<number, Point> {
  const [places, setPlaces] = useState<ReadonlyMap<number, Point>>(new Map());
  const [refresh] = useState(() =>
    oneAtATime(async () => {
      try {
        const query = { latest: THOUGHTS };
        const { points } = await call('GET /api/threads/:thread/map', { params: { thread }, query });
        setPlaces(new Map(points.map(({ id, x, y }) => [id, { x, y }])));
      } catch {
        // The next thought asks again.
      }
      await new Promise((resolve) => setTimeout(resolve, REST_MS));
    }),
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked for again whenever there are new thoughts
  useEffect(() => void refresh(), [refresh, newest]);
  return places;
}
