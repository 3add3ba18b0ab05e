import type { ThreadClient } from '../../../src/client/index.ts';
import { type Dialogue, turnOf } from '../../../src/core/dialogue/state.ts';
import { awayView } from '../../../src/core/dialogue/view/away.ts';
import { draftsView, historyView, iterationsView, statusView } from '../../../src/core/dialogue/view/view.ts';
import { clusterTable, clusterTimeline } from '../../../src/core/pool/view.ts';
import type { ModeFold } from '../../data/mode-fold.ts';

type DialogueClient = ThreadClient['dialogue'];
type QueryOf<Name extends keyof DialogueClient> = NonNullable<Parameters<DialogueClient[Name]>[0]>;

/** Views of a dialogue, made here if the page holds it and by the server otherwise. */
export function dialogueViews(remote: DialogueClient, { answer }: ModeFold<Dialogue>) {
  return {
    status: () => answer(statusView, remote.status),
    drafts: (query: Omit<QueryOf<'drafts'>, 'only'>) =>
      answer(
        (state) => draftsView(state, query.turn === undefined ? state.open : turnOf(state, query.turn), query),
        () => remote.drafts(query),
      ),
    history: (query: QueryOf<'history'>) =>
      answer(
        (state) => historyView(state, query),
        () => remote.history(query),
      ),
    iterations: (query: QueryOf<'iterations'>) =>
      answer(
        (state) => iterationsView(state, query),
        () => remote.iterations(query),
      ),
    away: () => answer(awayView, remote.away),
    clusters: ({ latest }: { readonly latest: number }) =>
      answer(
        ({ pool }) => ({ ...clusterTable(pool), timeline: clusterTimeline(pool, latest) }),
        () => remote.clusters({ latest }),
      ),
    provenance: remote.provenance,
    config: () => answer(({ config }) => ({ config }), remote.config),
  };
}
