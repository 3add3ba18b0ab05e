import type { RequestQuery, RouteResponse } from '../protocol/routes.ts';
import { createCommand, type KindCommand } from './command.ts';
import type { Http } from './http.ts';
import { poolClient } from './pool.ts';

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

/** Calls that exist only for exchanges. */
export function exchangeClient(http: Http, thread: string) {
  const { call } = http;
  const params = { thread };
  return {
    ...poolClient(http, thread),
    /** The phase, the run, and what waits for the observer. */
    status: () => call('GET /api/threads/:thread/exchange', { params }),
    /** Rounds with their thoughts and calls, newest first. */
    rounds: (query: RequestQuery<'GET /api/threads/:thread/rounds'> = {}) =>
      call('GET /api/threads/:thread/rounds', { params, query }),
    /** Audits with the thoughts they cite, newest first. */
    audits: (query: RequestQuery<'GET /api/threads/:thread/audits'> = {}) =>
      call('GET /api/threads/:thread/audits', { params, query }),
    /** Everything that was said besides thoughts, newest first. */
    entries: (query: RequestQuery<'GET /api/threads/:thread/entries'> = {}) =>
      call('GET /api/threads/:thread/entries', { params, query }),
    /** The current terms, those announced, and all earlier versions. */
    terms: () => call('GET /api/threads/:thread/terms', { params }),
    /** The powers of each role, and the rules they come from. */
    powers: () => call('GET /api/threads/:thread/powers', { params }),
    /** Diversity, novelty, dominance and noise of each round, oldest first. */
    drift: (latest?: number) => call('GET /api/threads/:thread/drift', { params, query: { latest } }),
    /** All branches of the exchange, parents before their branches. */
    branches: () => call('GET /api/threads/:thread/branches', { params }),
    /** This branch and another side by side: clusters, audits, drift and the first difference. */
    compare: (other: string, latest?: number) =>
      call('GET /api/threads/:thread/compare/:other', { params: { thread, other }, query: { latest } }),
    /** Sends a command of exchanges, such as `run_rounds`, `observe` or `amend`. */
    command: createCommand(http, thread) as KindCommand<'exchange'>,
  };
}
