import type { ThreadClient } from '../../../src/client/index.ts';
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
import type { ModeFold } from '../../data/mode-fold.ts';

type ExchangeClient = ThreadClient['exchange'];
type QueryOf<Name extends 'rounds' | 'audits' | 'entries'> = NonNullable<Parameters<ExchangeClient[Name]>[0]>;

/** Views of an exchange, made here if the page holds it and by the server otherwise. */
export function exchangeViews(remote: ExchangeClient, { answer }: ModeFold<Exchange>) {
  return {
    status: () => answer(exchangeStatus, remote.status),
    rounds: (query: QueryOf<'rounds'>) =>
      answer(
        (state) => roundsView(state, query),
        () => remote.rounds(query),
      ),
    audits: (query: QueryOf<'audits'>) =>
      answer(
        (state) => auditsView(state, query),
        () => remote.audits(query),
      ),
    entries: (query: QueryOf<'entries'>) =>
      answer(
        (state) => entriesView(state, query),
        () => remote.entries(query),
      ),
    terms: () => answer(termsView, remote.terms),
    powers: () => answer(powersView, remote.powers),
    drift: ({ latest }: { readonly latest: number }) =>
      answer(
        (state) => driftView(state, latest),
        () => remote.drift({ latest }),
      ),
    branches: remote.branches,
    clusters: ({ latest }: { readonly latest: number }) =>
      answer(
        ({ pool }) => ({ ...clusterTable(pool), timeline: clusterTimeline(pool, latest) }),
        () => remote.clusters({ latest }),
      ),
    compare: remote.compare,
  };
}
