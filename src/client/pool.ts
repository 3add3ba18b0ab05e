import type { Http } from './http.ts';

/** Calls for the pool of thoughts, which dialogues and exchanges have. */
export function poolClient({ call }: Http, thread: string) {
  const params = { thread };
  return {
    /** The clusters of thoughts, and which of them spoke when. */
    clusters: (latest?: number) => call('GET /api/threads/:thread/clusters', { params, query: { latest } }),
    /** The latest thoughts as points in two dimensions, near each other where they mean the same. */
    map: (latest?: number) => call('GET /api/threads/:thread/map', { params, query: { latest } }),
  };
}
