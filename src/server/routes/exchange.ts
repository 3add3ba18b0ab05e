import { compareExchanges } from '../../core/exchange/branches/compare.ts';
import {
  auditsView,
  driftView,
  entriesView,
  exchangeStatus,
  powersView,
  roundsView,
  termsView,
} from '../../core/exchange/view/view.ts';
import { isRefusal } from '../../core/refusal.ts';
import { forkTreeOf } from '../../core/threads/view/fork-tree.ts';
import type { ThreadSummary } from '../../core/threads/view/schema.ts';
import type { RouteHandlers } from '../http/edge.ts';
import type { RouteContext } from './context.ts';
import { createViews, loadMode } from './views.ts';

/** Handlers that read exchanges (C8). */
export function exchangeHandlers({ engine, isServed }: RouteContext) {
  const loadExchange = (thread: string) => loadMode(engine, thread, 'exchange', 'only an exchange has rounds');
  const view = createViews(loadExchange);
  return {
    'GET /api/threads/:thread/exchange': view(({ state }) => exchangeStatus(state, isServed())),
    'GET /api/threads/:thread/rounds': view(({ state }, { query }) => roundsView(state, query)),
    'GET /api/threads/:thread/audits': view(({ state }, { query }) => auditsView(state, query)),
    'GET /api/threads/:thread/entries': view(({ state }, { query }) => entriesView(state, query)),
    'GET /api/threads/:thread/terms': view(({ state }) => termsView(state)),
    'GET /api/threads/:thread/powers': view(({ state }) => powersView(state)),
    'GET /api/threads/:thread/drift': view(({ state }, { query }) => driftView(state, query.latest)),
    'GET /api/threads/:thread/branches': view(async (_, { params }) => ({
      branches: await Promise.all(forkTreeOf(await engine.index(), params.thread).map(branchRow)),
    })),
    'GET /api/threads/:thread/compare/:other': view(async ({ state }, { params, query }) => {
      const other = await loadExchange(params.other);
      return isRefusal(other) ? other : compareExchanges(state, other.state, query.latest);
    }),
  } satisfies Partial<RouteHandlers>;

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
}
