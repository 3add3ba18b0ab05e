import type { Http } from './http.ts';
import { createView } from './view.ts';

/** Calls for the pool of thoughts, which dialogues and exchanges have. */
export function poolClient(http: Http, thread: string) {
  const view = createView(http, thread);
  return {
    /** The clusters of thoughts, and which of them spoke when. */
    clusters: view('GET /api/threads/:thread/clusters'),
    /** The latest thoughts as points in two dimensions, near each other where they mean the same. */
    map: view('GET /api/threads/:thread/map'),
  };
}
