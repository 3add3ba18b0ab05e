import type { RequestQuery, RouteResponse } from '../protocol/routes.ts';
import { createCommand, type KindCommand } from './command.ts';
import type { Http } from './http.ts';
import { poolClient } from './pool.ts';
import { createView } from './view.ts';

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
  const view = createView(http, thread);
  return {
    ...poolClient(http, thread),
    /** The phase, the run, and what waits for the observer. */
    status: view('GET /api/threads/:thread/exchange'),
    /** Rounds with their thoughts and calls, newest first. */
    rounds: view('GET /api/threads/:thread/rounds'),
    /** Audits with the thoughts they cite, newest first. */
    audits: view('GET /api/threads/:thread/audits'),
    /** Everything that was said besides thoughts, newest first. */
    entries: view('GET /api/threads/:thread/entries'),
    /** The current terms, those announced, and all earlier versions. */
    terms: view('GET /api/threads/:thread/terms'),
    /** The powers of each role, and the rules they come from. */
    powers: view('GET /api/threads/:thread/powers'),
    /** Diversity, novelty, dominance and noise of each round, oldest first. */
    drift: view('GET /api/threads/:thread/drift'),
    /** All branches of the exchange, parents before their branches. */
    branches: view('GET /api/threads/:thread/branches'),
    /** This branch and another side by side: clusters, audits, drift and the first difference. */
    compare: (other: string, query: RequestQuery<'GET /api/threads/:thread/compare/:other'> = {}) =>
      call('GET /api/threads/:thread/compare/:other', { params: { thread, other }, query }),
    /** Sends a command of exchanges, such as `run`, `observe` or `amend`. */
    command: createCommand(http, thread) as KindCommand<'exchange'>,
  };
}
