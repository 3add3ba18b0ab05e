import { createHttp } from '../../../src/client/http.ts';
import type { RequestQuery, RouteResponse } from '../../../src/protocol/routes.ts';

const { call } = createHttp({ url: '' });

export type DialogueStatus = RouteResponse<'GET /api/threads/:thread/status'>;
export type DraftItem = RouteResponse<'GET /api/threads/:thread/drafts'>['drafts'][number];
export type AwayDigest = RouteResponse<'GET /api/threads/:thread/away'>;
export type AcceptedPair = RouteResponse<'GET /api/threads/:thread/history'>['turns'][number];
export type IterationDetails = RouteResponse<'GET /api/threads/:thread/iterations/:iter'>;
export type IterationThought = IterationDetails['thoughts'][number];
export type ProvenanceDetails = RouteResponse<'GET /api/threads/:thread/provenance'>;

/** The server's queries for a dialogue. */
export function dialogueQueries(thread: string) {
  const params = { thread };
  return {
    status: () => call('GET /api/threads/:thread/status', { params }),
    drafts: (query: RequestQuery<'GET /api/threads/:thread/drafts'>) =>
      call('GET /api/threads/:thread/drafts', { params, query }),
    history: (query: RequestQuery<'GET /api/threads/:thread/history'>) =>
      call('GET /api/threads/:thread/history', { params, query }),
    iterations: (query: RequestQuery<'GET /api/threads/:thread/iterations'>) =>
      call('GET /api/threads/:thread/iterations', { params, query }),
    away: () => call('GET /api/threads/:thread/away', { params }),
    clusters: (latest: number) => call('GET /api/threads/:thread/clusters', { params, query: { latest } }),
    provenance: (query: RequestQuery<'GET /api/threads/:thread/provenance'>) =>
      call('GET /api/threads/:thread/provenance', { params, query }),
    config: () => call('GET /api/threads/:thread/config', { params }),
  };
}

/** The URL of the archive as a file (D8). */
export function archivePath(thread: string): string {
  return `/api/threads/${encodeURIComponent(thread)}/archive`;
}

export function archiveName(thread: string): string {
  return `drafts-${thread}.jsonl`;
}
