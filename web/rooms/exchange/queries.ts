import { createHttp } from '../../../src/client/http.ts';
import type { Answer, SentQuery } from '../../../src/protocol/routes.ts';

const { call } = createHttp({ url: '' });

export type Status = Answer<'GET /api/threads/:thread/exchange'>;
export type Round = Answer<'GET /api/threads/:thread/rounds'>['rounds'][number];
export type Thought = Round['thoughts'][number];
export type Call = Round['calls'][number];
export type Audit = Answer<'GET /api/threads/:thread/audits'>['audits'][number];
export type Entry = Answer<'GET /api/threads/:thread/entries'>['entries'][number];
export type TermsRead = Answer<'GET /api/threads/:thread/terms'>;
export type Version = TermsRead['now'];
export type Terms = Version['terms'];
export type Powers = Answer<'GET /api/threads/:thread/powers'>['roles'];
export type Drift = Answer<'GET /api/threads/:thread/drift'>['rounds'][number];
export type Branch = Answer<'GET /api/threads/:thread/branches'>['branches'][number];
export type Comparison = Answer<'GET /api/threads/:thread/compare/:other'>;
export type Restart = Status['restarts'][number];

/** What the server tells of an exchange. */
export function readsOf(thread: string) {
  const params = { thread };
  return {
    status: () => call('GET /api/threads/:thread/exchange', { params }),
    rounds: (query: SentQuery<'GET /api/threads/:thread/rounds'>) =>
      call('GET /api/threads/:thread/rounds', { params, query }),
    audits: (query: SentQuery<'GET /api/threads/:thread/audits'>) =>
      call('GET /api/threads/:thread/audits', { params, query }),
    entries: (query: SentQuery<'GET /api/threads/:thread/entries'>) =>
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
