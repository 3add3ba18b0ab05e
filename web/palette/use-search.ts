import { useEffect, useState } from 'react';
import type { SearchPage } from '../../src/client/index.ts';
import { client, describeError } from '../data/session.ts';
import type { PaletteSearchRequest } from './query.ts';

const DEBOUNCE_MS = 120;
const MAX_HITS = 20;

export interface SearchState {
  readonly response?: SearchPage;
  readonly problem?: string;
  /** A newer search is running. */
  readonly isSearching?: boolean;
}

/** Searches the workspace's texts when typing pauses; a newer search cancels the older one. */
export function useSearch(request: PaletteSearchRequest | string | undefined): SearchState {
  const [state, setState] = useState<SearchState & { readonly key: string }>({ key: '' });
  const key = typeof request === 'object' ? JSON.stringify(request) : '';
  useEffect(() => {
    if (key === '') return setState({ key });
    const controller = new AbortController();
    const { signal } = controller;
    const timer = setTimeout(async () => {
      try {
        setState({
          key,
          response: await client.search({ ...(JSON.parse(key) as PaletteSearchRequest), limit: MAX_HITS, signal }),
        });
      } catch (error) {
        if (!signal.aborted) setState({ key, problem: describeError(error) });
      }
    }, DEBOUNCE_MS);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [key]);
  return typeof request === 'string' ? { problem: request } : { ...state, isSearching: state.key !== key };
}
