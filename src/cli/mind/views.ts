import { type Dialogue, turnOf } from '../../core/dialogue/state.ts';
import { type AwayView, awayView } from '../../core/dialogue/view/away.ts';
import {
  type DraftsView,
  draftsView,
  type HistoryTurn,
  historyView,
  iterationView,
  type StatusView,
  statusView,
} from '../../core/dialogue/view/view.ts';
import { modeState, type State } from '../../core/workspace.ts';
import type { Cli } from '../cli.ts';
import { allOf, type Call, viewOf, withViews } from '../threads/views.ts';
import type { Written } from './format.ts';

export interface DraftsAsked {
  readonly turn?: number | undefined;
  readonly only?: readonly number[];
  readonly limit?: number | undefined;
}

/** What commands show of a dialogue. */
export interface Views {
  status(): Promise<StatusView>;
  away(): Promise<AwayView>;
  /** Of the turn that waits, unless one is named. */
  drafts(asked: DraftsAsked): Promise<DraftsView | 'unknown_turn'>;
  history(): Promise<{ readonly turns: readonly HistoryTurn[] }>;
  /** Who wrote in an iteration. */
  writer(iter: number): Promise<Written | undefined>;
}

export function withDialogueViews<T>(
  cli: Cli,
  look: (views: Views, thread: { readonly id: string; readonly title: string }) => T | Promise<T>,
): Promise<T> {
  return withViews(cli, { byServer, byLog: (state) => byLog(cli, state) }, look);
}

function byLog(cli: Cli, state: State): Views {
  const dialogue = modeState('dialogue', state) as Dialogue;
  return {
    // Nobody answered for the workspace, so nobody works on it either; a database may have servers elsewhere.
    status: async () => statusView(dialogue, cli.database !== undefined),
    away: async () => awayView(dialogue),
    async drafts({ turn, ...page }) {
      const of = turn === undefined ? dialogue.open : turnOf(dialogue, turn);
      return turn !== undefined && !of ? 'unknown_turn' : draftsView(dialogue, of, page);
    },
    history: async () => historyView(dialogue),
    writer: async (iter) => iterationView(dialogue, iter),
  };
}

const PAGE = 1000;

function byServer(call: Call, thread: string): Views {
  const params = { thread };

  async function drafts({ turn, only, limit }: DraftsAsked): Promise<DraftsView | 'unknown_turn'> {
    const page = (of: number | undefined, before?: number) =>
      call('GET /api/threads/:thread/drafts', {
        params,
        query: {
          ...(of !== undefined && { turn: of }),
          ...(only && { only: only.join(',') }),
          ...(before !== undefined && { before }),
          limit: Math.min(limit ?? PAGE, PAGE),
        },
      }).then(viewOf<DraftsView>);
    try {
      const first = await page(turn);
      const { turn: shown } = first;
      if (only || limit !== undefined || shown === null) return first;
      const rest = await allOf(
        async (before) => (before === undefined ? first : await page(shown, before)).drafts,
        ({ index }) => index,
      );
      return { ...first, drafts: rest };
    } catch (error) {
      if ((error as { code?: string }).code === 'unknown_turn') return 'unknown_turn';
      throw error;
    }
  }

  return {
    status: () => call('GET /api/threads/:thread/status', { params }).then(viewOf<StatusView>),
    away: () => call('GET /api/threads/:thread/away', { params }).then(viewOf<AwayView>),
    drafts,
    history: async () => ({
      turns: await allOf(
        async (before) => {
          const query = { limit: PAGE, ...(before !== undefined && { before }) };
          const { turns } = await call('GET /api/threads/:thread/history', { params, query });
          return turns as readonly HistoryTurn[];
        },
        ({ turn }) => turn,
      ),
    }),
    writer: (iter) =>
      iter < 1
        ? Promise.resolve(undefined)
        : call('GET /api/threads/:thread/iterations/:iter', { params: { thread, iter: String(iter) } }),
  };
}
