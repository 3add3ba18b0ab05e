import type { Exchange } from '../../core/exchange/state.ts';
import {
  type AuditRow,
  auditsView,
  type ExchangeStatus,
  exchangeStatus,
  type RoundRow,
  roundsView,
} from '../../core/exchange/view/view.ts';
import { modeState, type State } from '../../core/workspace.ts';
import type { Cli } from '../cli.ts';
import { type Call, viewOf, withViews } from '../threads/views.ts';

interface Page {
  readonly before?: number;
  readonly limit: number;
}

/** What commands show of an exchange. */
interface Views {
  status(): Promise<ExchangeStatus>;
  rounds(page: Page): Promise<{ readonly rounds: readonly RoundRow[] }>;
  audits(page: Page): Promise<{ readonly audits: readonly AuditRow[] }>;
}

export function withExchangeViews<T>(
  cli: Cli,
  look: (views: Views, thread: { readonly id: string; readonly title: string }) => T | Promise<T>,
): Promise<T> {
  return withViews(cli, { byServer, byLog: (state) => byLog(cli, state) }, look);
}

function byLog(cli: Cli, state: State): Views {
  const exchange = modeState('exchange', state) as Exchange;
  return {
    status: async () => exchangeStatus(exchange, cli.database !== undefined),
    rounds: async (page) => roundsView(exchange, page),
    audits: async (page) => auditsView(exchange, page),
  };
}

function byServer(call: Call, thread: string): Views {
  const params = { thread };
  return {
    status: () => call('GET /api/threads/:thread/exchange', { params }).then(viewOf<ExchangeStatus>),
    rounds: (query) =>
      call('GET /api/threads/:thread/rounds', { params, query }).then(viewOf<{ rounds: readonly RoundRow[] }>),
    audits: (query) =>
      call('GET /api/threads/:thread/audits', { params, query }).then(viewOf<{ audits: readonly AuditRow[] }>),
  };
}
