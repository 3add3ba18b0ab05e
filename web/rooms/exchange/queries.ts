import { createHttp } from '../../../src/client/http.ts';
import type { RequestQuery, RouteResponse } from '../../../src/protocol/routes.ts';

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

/** The server's queries for an exchange. */
export function exchangeQueries(thread: string) {
  const params = { thread };
  return {
    status: () => call('GET /api/threads/:thread/exchange', { params }),
    rounds: (query: RequestQuery<'GET /api/threads/:thread/rounds'>) =>
      call('GET /api/threads/:thread/rounds', { params, query }),
    audits: (query: RequestQuery<'GET /api/threads/:thread/audits'>) =>
      call('GET /api/threads/:thread/audits', { params, query }),
    entries: (query: RequestQuery<'GET /api/threads/:thread/entries'>) =>
      call('GET /api/threads/:thread/entries', { params, query }),
    terms: () => call('GET /api/threads/:thread/terms', { params }),
    powers: () => call('GET /api/threads/:thread/powers', { params }),
    drift: (latest: number) => call('GET /api/threads/:thread/drift', { params, query: { latest } }),
    branches: () => call('GET /api/threads/:thread/branches', { params }),
    clusters: (latest: number) => call('GET /api/threads/:thread/clusters', { params, query: { latest } }),
    compare: (other: string, latest: number) =>
      call('GET /api/threads/:thread/compare/:other', { params: { thread, other }, query: { latest } }),
  };
}
