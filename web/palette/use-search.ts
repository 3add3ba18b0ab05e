import { useEffect, useState } from 'react';
import type { SearchAnswer } from '../../src/client/index.ts';
import { client, sentenceFor } from '../data/session.ts';
import type { SearchWish } from './query.ts';

const PAUSE_MS = 120;
const MOST = 20;

export interface Found {
  readonly answer?: SearchAnswer;
  readonly problem?: string;
  /** Something else has been asked for since. */
  readonly isAsking?: boolean;
}

/** Texts of the workspace, asked for when the typing rests; an older question is called off. */
export function useFound(wish: SearchWish | string | undefined): Found {
  const [found, setFound] = useState<Found & { readonly key: string }>({ key: '' });
  const key = typeof wish === 'object' ? JSON.stringify(wish) : '';
  useEffect(() => {
    if (key === '') return setFound({ key });
    const asking = new AbortController();
    const { signal } = asking;
    const timer = setTimeout(async () => {
      try {
        setFound({ key, answer: await client.search({ ...(JSON.parse(key) as SearchWish), limit: MOST, signal }) });
      } catch (error) {
        if (!signal.aborted) setFound({ key, problem: sentenceFor(error) });
      }
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      asking.abort();
    };
  }, [key]);
  return typeof wish === 'string' ? { problem: wish } : { ...found, isAsking: found.key !== key };
}
