import { compareExchanges } from '../../core/exchange/branches/compare.ts';
import type { Exchange } from '../../core/exchange/state.ts';
import {
  auditsView,
  driftView,
  entriesView,
  exchangeStatus,
  powersView,
  roundsView,
  termsView,
} from '../../core/exchange/view/view.ts';
import { isRefusal, type Refusal, refuse } from '../../core/refusal.ts';
import { withArticle } from '../../core/text/article.ts';
import { forkTreeOf } from '../../core/threads/view/fork-tree.ts';
import type { ThreadSummary } from '../../core/threads/view/schema.ts';
import { modeState } from '../../core/workspace.ts';
import { cursorOf } from '../../protocol/cursor.ts';
import type { exchangeRoutes } from '../../protocol/exchange.ts';
import type { RouteHandlers } from '../http/edge.ts';
import { loadThread, type RouteContext } from './context.ts';

type ExchangeHandlers = Pick<RouteHandlers, keyof typeof exchangeRoutes>;

/** Handlers that read exchanges (C8). */
export function exchangeHandlers({ engine, isServed }: RouteContext): ExchangeHandlers {
  return {
    'GET /api/threads/:thread/exchange': ({ params }) =>
      renderView(params.thread, (state) => exchangeStatus(state, isServed())),
    'GET /api/threads/:thread/rounds': ({ params, query }) =>
      renderView(params.thread, (state) => roundsView(state, query)),
    'GET /api/threads/:thread/audits': ({ params, query }) =>
      renderView(params.thread, (state) => auditsView(state, query)),
    'GET /api/threads/:thread/entries': ({ params, query }) =>
      renderView(params.thread, (state) => entriesView(state, query)),
    'GET /api/threads/:thread/terms': ({ params }) => renderView(params.thread, termsView),
    'GET /api/threads/:thread/powers': ({ params }) => renderView(params.thread, powersView),
    'GET /api/threads/:thread/drift': ({ params, query }) =>
      renderView(params.thread, (state) => driftView(state, query.latest)),
    'GET /api/threads/:thread/branches': async ({ params }) => {
      const loaded = await loadExchange(params.thread);
      if (isRefusal(loaded)) return loaded;
      const branches = await Promise.all(forkTreeOf(await engine.index(), params.thread).map(branchRow));
      return JSON.stringify({ branches, head: cursorOf('thread', loaded.seq) });
    },
    'GET /api/threads/:thread/compare/:other': async ({ params, query }) => {
      const other = await loadExchange(params.other);
      if (isRefusal(other)) return other;
      return renderView(params.thread, (state) => compareExchanges(state, other.state, query.latest));
    },
  };

  async function branchRow({ id, title, created, forked_from }: ThreadSummary) {
    const loaded = await loadExchange(id);
    const state = isRefusal(loaded) ? undefined : loaded.state;
    return {
      ...{ thread: id, title, created },
      ...(forked_from && { forked_from }),
      ...(state && { phase: state.phase, rounds: state.rounds.length }),
      ...(state?.branch && { branch: state.branch }),
    };
  }

  async function renderView(thread: string, view: (state: Exchange) => object | Refusal): Promise<string | Refusal> {
    const loaded = await loadExchange(thread);
    if (isRefusal(loaded)) return loaded;
    const result = view(loaded.state);
    return isRefusal(result) ? result : JSON.stringify({ ...result, head: cursorOf('thread', loaded.seq) });
  }

  async function loadExchange(thread: string): Promise<{ state: Exchange; seq: number } | Refusal> {
    const loaded = await loadThread(engine, thread);
    if (isRefusal(loaded)) return loaded;
    const state = modeState('exchange', loaded.state);
    if (state) return { state, seq: loaded.seq };
    const { kind, title } = loaded.state.thread;
    return refuse('wrong_kind', `"${title}" is ${withArticle(kind)}; only an exchange has rounds.`, { thread });
  }
}
