import { type Dialogue, turnOf } from '../../core/dialogue/state.ts';
import { type AwayView, awayView } from '../../core/dialogue/view/away.ts';
import {
  type DialogueDraftsView,
  type DialogueStatusView,
  draftsView,
  type HistoryTurn,
  historyView,
  iterationView,
  statusView,
} from '../../core/dialogue/view/view.ts';
import { modeState, type State } from '../../core/workspace.ts';
import type { Cli } from '../cli.ts';
import { type HttpCall, readAllPages, withoutHead, withViews } from '../threads/views.ts';
import type { WriterInfo } from './format.ts';

export interface DraftsQuery {
  readonly turn?: number | undefined;
  readonly only?: readonly number[];
  readonly limit?: number | undefined;
}

/** The views of a dialogue that commands show. */
export interface DialogueViews {
  status(): Promise<DialogueStatusView>;
  away(): Promise<AwayView>;
  /** The drafts of the given turn, or of the open one. */
  drafts(query: DraftsQuery): Promise<DialogueDraftsView | 'unknown_turn'>;
  history(): Promise<{ readonly turns: readonly HistoryTurn[] }>;
  /** The writer of an iteration. */
  writer(iter: number): Promise<WriterInfo | undefined>;
}

export function withDialogueViews<T>(
  cli: Cli,
  work: (views: DialogueViews, thread: { readonly id: string; readonly title: string }) => T | Promise<T>,
): Promise<T> {
  return withViews(cli, { viaServer, viaLog: (state) => viaLog(cli, state) }, work);
}

function viaLog(cli: Cli, state: State): DialogueViews {
  const dialogue = modeState('dialogue', state) as Dialogue;
  return {
    // No server answered, so none works on this workspace. A database may have servers elsewhere.
    status: async () => statusView(dialogue, cli.database !== undefined),
    away: async () => awayView(dialogue),
    async drafts({ turn, ...page }) {
      const target = turn === undefined ? dialogue.open : turnOf(dialogue, turn);
      return turn !== undefined && !target ? 'unknown_turn' : draftsView(dialogue, target, page);
    },
    history: async () => historyView(dialogue),
    writer: async (iter) => iterationView(dialogue, iter),
  };
}

const PAGE = 1000;

function viaServer(call: HttpCall, thread: string): DialogueViews {
  const params = { thread };

  async function drafts({ turn, only, limit }: DraftsQuery): Promise<DialogueDraftsView | 'unknown_turn'> {
    const readPage = (turnNumber: number | undefined, before?: number) =>
      call('GET /api/threads/:thread/drafts', {
        params,
        query: {
          ...(turnNumber !== undefined && { turn: turnNumber }),
          ...(only && { only: only.join(',') }),
          ...(before !== undefined && { before }),
          limit: Math.min(limit ?? PAGE, PAGE),
        },
      }).then(withoutHead<DialogueDraftsView>);
    try {
      const first = await readPage(turn);
      const { turn: shownTurn } = first;
      if (only || limit !== undefined || shownTurn === null) return first;
      const allDrafts = await readAllPages(
        async (before) => (before === undefined ? first : await readPage(shownTurn, before)).drafts,
        ({ index }) => index,
      );
      return { ...first, drafts: allDrafts };
    } catch (error) {
      if ((error as { code?: string }).code === 'unknown_turn') return 'unknown_turn';
      throw error;
    }
  }

  return {
    status: () => call('GET /api/threads/:thread/status', { params }).then(withoutHead<DialogueStatusView>),
    away: () => call('GET /api/threads/:thread/away', { params }).then(withoutHead<AwayView>),
    drafts,
    history: async () => ({
      turns: await readAllPages(
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
