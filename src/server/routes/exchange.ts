import { compare } from '../../core/exchange/branches/compare.ts';
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
import { familyOf } from '../../core/threads/view/fork-tree.ts';
import type { ThreadSummary } from '../../core/threads/view/view.ts';
import { modeState } from '../../core/workspace.ts';
import { cursorOf } from '../../protocol/cursor.ts';
import type { exchangeRoutes } from '../../protocol/exchange.ts';
import type { Handlers } from '../http/edge.ts';
import { type Parts, stateOf } from './context.ts';

type ExchangeRoutes = Pick<Handlers, keyof typeof exchangeRoutes>;

/** How exchanges are read (C8). */
export function exchangeHandlers({ engine }: Parts): ExchangeRoutes {
  return {
    'GET /api/threads/:thread/exchange': ({ params }) => told(params.thread, exchangeStatus),
    'GET /api/threads/:thread/rounds': ({ params, query }) => told(params.thread, (state) => roundsView(state, query)),
    'GET /api/threads/:thread/audits': ({ params, query }) => told(params.thread, (state) => auditsView(state, query)),
    'GET /api/threads/:thread/entries': ({ params, query }) =>
      told(params.thread, (state) => entriesView(state, query)),
    'GET /api/threads/:thread/terms': ({ params }) => told(params.thread, termsView),
    'GET /api/threads/:thread/powers': ({ params }) => told(params.thread, powersView),
    'GET /api/threads/:thread/drift': ({ params, query }) =>
      told(params.thread, (state) => driftView(state, query.latest)),
    'GET /api/threads/:thread/branches': async ({ params }) => {
      const loaded = await exchangeOf(params.thread);
      if (isRefusal(loaded)) return loaded;
      const branches = await Promise.all(familyOf(await engine.index(), params.thread).map(branchRow));
      return JSON.stringify({ branches, head: cursorOf('thread', loaded.seq) });
    },
    'GET /api/threads/:thread/compare/:other': async ({ params, query }) => {
      const other = await exchangeOf(params.other);
      if (isRefusal(other)) return other;
      return told(params.thread, (state) => compare(state, other.state, query.latest));
    },
  };

  async function branchRow({ id, title, created, forked_from }: ThreadSummary) {
    const loaded = await exchangeOf(id);
    const state = isRefusal(loaded) ? undefined : loaded.state;
    return {
      ...{ thread: id, title, created },
      ...(forked_from && { forked_from }),
      ...(state && { phase: state.phase, rounds: state.rounds.length }),
      ...(state?.branch && { branch: state.branch }),
    };
  }

  async function told(thread: string, view: (state: Exchange) => object | Refusal): Promise<string | Refusal> {
    const loaded = await exchangeOf(thread);
    if (isRefusal(loaded)) return loaded;
    const seen = view(loaded.state);
    return isRefusal(seen) ? seen : JSON.stringify({ ...seen, head: cursorOf('thread', loaded.seq) });
  }

  async function exchangeOf(thread: string): Promise<{ state: Exchange; seq: number } | Refusal> {
    const loaded = await stateOf(engine, thread);
    if (isRefusal(loaded)) return loaded;
    const state = modeState('exchange', loaded.state);
    if (state) return { state, seq: loaded.seq };
    const { kind, title } = loaded.state.thread;
    return refuse('wrong_kind', `"${title}" is ${withArticle(kind)}; only an exchange has rounds.`, { thread });
  }
}
