import { createHttp } from '../../../src/client/http.ts';
import { type Dialogue, turnOf } from '../../../src/core/dialogue/state.ts';
import { awayView } from '../../../src/core/dialogue/view/away.ts';
import { draftsView, historyView, iterationsView, statusView } from '../../../src/core/dialogue/view/view.ts';
import { clusterTable, clusterTimeline } from '../../../src/core/pool/view.ts';
import type { RequestQuery, RouteResponse } from '../../../src/protocol/routes.ts';

import type { ModeFold } from '../../data/mode-fold.ts';

const { call } = createHttp({ url: '' });

export type DialogueStatus = RouteResponse<'GET /api/threads/:thread/status'>;
export type DraftItem = RouteResponse<'GET /api/threads/:thread/drafts'>['drafts'][number];
export type AwayDigest = RouteResponse<'GET /api/threads/:thread/away'>;
export type AcceptedPair = RouteResponse<'GET /api/threads/:thread/history'>['turns'][number];
export type IterationDetails = RouteResponse<'GET /api/threads/:thread/iterations/:iter'>;
export type IterationThought = IterationDetails['thoughts'][number];
export type ProvenanceDetails = RouteResponse<'GET /api/threads/:thread/provenance'>;

/** Views of a dialogue. */
export function dialogueQueries(thread: string, { answer }: ModeFold<Dialogue>) {
  const params = { thread };
  return {
    status: () => answer(statusView, () => call('GET /api/threads/:thread/status', { params })),
    drafts: (query: Omit<RequestQuery<'GET /api/threads/:thread/drafts'>, 'only'>) =>
      answer(
        (state) => draftsView(state, query.turn === undefined ? state.open : turnOf(state, query.turn), query),
        () => call('GET /api/threads/:thread/drafts', { params, query }),
      ),
    history: (query: RequestQuery<'GET /api/threads/:thread/history'>) =>
      answer(
        (state) => historyView(state, query),
        () => call('GET /api/threads/:thread/history', { params, query }),
      ),
    iterations: (query: RequestQuery<'GET /api/threads/:thread/iterations'>) =>
      answer(
        (state) => iterationsView(state, query),
        () => call('GET /api/threads/:thread/iterations', { params, query }),
      ),
    away: () => answer(awayView, () => call('GET /api/threads/:thread/away', { params })),
    clusters: (latest: number) =>
      answer(
        ({ pool }) => ({ ...clusterTable(pool), timeline: clusterTimeline(pool, latest) }),
        () => call('GET /api/threads/:thread/clusters', { params, query: { latest } }),
      ),
    provenance: (query: RequestQuery<'GET /api/threads/:thread/provenance'>) =>
      call('GET /api/threads/:thread/provenance', { params, query }),
    config: () =>
      answer(
        ({ config }) => ({ config }),
        () => call('GET /api/threads/:thread/config', { params }),
      ),
  };
}

/** The URL of the archive as a file (D8). */
export function archivePath(thread: string): string {
  return `/api/threads/${encodeURIComponent(thread)}/archive`;
}

export function archiveName(thread: string): string {
  return `drafts-${thread}.jsonl`;
}
