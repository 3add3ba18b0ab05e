import type { Exchange } from '../../core/exchange/state.ts';
import {
  type AuditRow,
  auditsView,
  type ExchangeStatusView,
  exchangeStatus,
  type RoundRow,
  roundsView,
} from '../../core/exchange/view/view.ts';
import { modeState, type State } from '../../core/workspace.ts';
import type { Cli } from '../cli.ts';
import { type HttpCall, withoutHead, withViews } from '../threads/views.ts';

interface ExchangeViewPage {
  readonly before?: number;
  readonly limit: number;
}

/** The views of an exchange that commands show. */
interface ExchangeViews {
  status(): Promise<ExchangeStatusView>;
  rounds(page: ExchangeViewPage): Promise<{ readonly rounds: readonly RoundRow[] }>;
  audits(page: ExchangeViewPage): Promise<{ readonly audits: readonly AuditRow[] }>;
}

export function withExchangeViews<T>(
  cli: Cli,
  work: (views: ExchangeViews, thread: { readonly id: string; readonly title: string }) => T | Promise<T>,
): Promise<T> {
  return withViews(cli, { viaServer, viaLog: (state) => viaLog(cli, state) }, work);
}

function viaLog(cli: Cli, state: State): ExchangeViews {
  const exchange = modeState('exchange', state) as Exchange;
  return {
    status: async () => exchangeStatus(exchange, cli.database !== undefined),
    rounds: async (page) => roundsView(exchange, page),
    audits: async (page) => auditsView(exchange, page),
  };
}

function viaServer(call: HttpCall, thread: string): ExchangeViews {
  const params = { thread };
  return {
    status: () => call('GET /api/threads/:thread/exchange', { params }).then(withoutHead<ExchangeStatusView>),
    rounds: (query) =>
      call('GET /api/threads/:thread/rounds', { params, query }).then(withoutHead<{ rounds: readonly RoundRow[] }>),
    audits: (query) =>
      call('GET /api/threads/:thread/audits', { params, query }).then(withoutHead<{ audits: readonly AuditRow[] }>),
  };
}
