import { createHttp } from '../../../src/client/http.ts';
import type { Exchange } from '../../../src/core/exchange/state.ts';
import {
  auditsView,
  driftView,
  entriesView,
  exchangeStatus,
  powersView,
  roundsView,
  termsView,
} from '../../../src/core/exchange/view/view.ts';
import { clusterTable, clusterTimeline } from '../../../src/core/pool/view.ts';
import type { RequestQuery, RouteResponse } from '../../../src/protocol/routes.ts';

import { type ModeFold, NOT_HELD } from '../../data/mode-fold.ts';

const { call } = createHttp({ url: '' });

export type ExchangeStatus = RouteResponse<'GET /api/threads/:thread/exchange'>;
export type RoundItem = RouteResponse<'GET /api/threads/:thread/rounds'>['rounds'][number];
export type RoundThought = RoundItem['thoughts'][number];
export type RoundCall = RoundItem['calls'][number];
export type AuditItem = RouteResponse<'GET /api/threads/:thread/audits'>['audits'][number];
export type EntryItem = RouteResponse<'GET /api/threads/:thread/entries'>['entries'][number];
export type TermsHistory = RouteResponse<'GET /api/threads/:thread/terms'>;
export type TermsVersionItem = TermsHistory['now'];
export type TermValues = TermsVersionItem['terms'];
export type PowersByRole = RouteResponse<'GET /api/threads/:thread/powers'>['roles'];
export type DriftPoint = RouteResponse<'GET /api/threads/:thread/drift'>['rounds'][number];
export type BranchItem = RouteResponse<'GET /api/threads/:thread/branches'>['branches'][number];
export type BranchComparison = RouteResponse<'GET /api/threads/:thread/compare/:other'>;
export type RestartItem = ExchangeStatus['restarts'][number];

/** Views of an exchange. */
export function exchangeQueries(thread: string, { answer }: Pick<ModeFold<Exchange>, 'answer'> = NOT_HELD) {
  const params = { thread };
  return {
    status: () => answer(exchangeStatus, () => call('GET /api/threads/:thread/exchange', { params })),
    rounds: (query: RequestQuery<'GET /api/threads/:thread/rounds'>) =>
      answer(
        (state) => roundsView(state, query),
        () => call('GET /api/threads/:thread/rounds', { params, query }),
      ),
    audits: (query: RequestQuery<'GET /api/threads/:thread/audits'>) =>
      answer(
        (state) => auditsView(state, query),
        () => call('GET /api/threads/:thread/audits', { params, query }),
      ),
    entries: (query: RequestQuery<'GET /api/threads/:thread/entries'>) =>
      answer(
        (state) => entriesView(state, query),
        () => call('GET /api/threads/:thread/entries', { params, query }),
      ),
    terms: () => answer(termsView, () => call('GET /api/threads/:thread/terms', { params })),
    powers: () => answer(powersView, () => call('GET /api/threads/:thread/powers', { params })),
    drift: (latest: number) =>
      answer(
        (state) => driftView(state, latest),
        () => call('GET /api/threads/:thread/drift', { params, query: { latest } }),
      ),
    branches: () => call('GET /api/threads/:thread/branches', { params }),
    clusters: (latest: number) =>
      answer(
        ({ pool }) => ({ ...clusterTable(pool), timeline: clusterTimeline(pool, latest) }),
        () => call('GET /api/threads/:thread/clusters', { params, query: { latest } }),
      ),
    compare: (other: string, latest: number) =>
      call('GET /api/threads/:thread/compare/:other', { params: { thread, other }, query: { latest } }),
  };
}
