import { type Dialogue, iterationCount, type Turn, turnOf } from '../../core/dialogue/state.ts';
import { awayView } from '../../core/dialogue/view/away.ts';
import { provenanceOf } from '../../core/dialogue/view/provenance.ts';
import { draftsView, historyView, iterationsView, iterationView, statusView } from '../../core/dialogue/view/view.ts';
import { projectToMap } from '../../core/pool/map.ts';
import type { ThoughtPool } from '../../core/pool/state.ts';
import { clusterTable, clusterTimeline } from '../../core/pool/view.ts';
import { isRefusal, type Refusal, refuse } from '../../core/refusal.ts';
import { modeState } from '../../core/workspace.ts';
import { createVectorCache } from '../../engine/pool/vectors.ts';
import { readArchive } from '../../formats/export/dialogue-archive.ts';
import type { RouteHandlers } from '../http/edge.ts';
import { DATA_HEADERS } from '../http/security.ts';
import { loadThread, type RouteContext } from './context.ts';
import { createViews, loadMode, wrongKind } from './views.ts';

const JSONL_HEADERS = { ...DATA_HEADERS, 'content-type': 'application/jsonl; charset=utf-8' };

/** Handlers that read dialogues (C7). */
export function dialogueHandlers({ engine, embedder, isServed, stopping }: RouteContext) {
  const vectorsOf = createVectorCache(embedder);
  const view = createViews((thread) => loadMode(engine, thread, 'dialogue', 'only a dialogue has drafts'));
  const viewPool = createViews(loadPool);

  return {
    'GET /api/threads/:thread/drafts': view(({ state }, { query: { turn, only, ...page } }) => {
      const selected = turn === undefined ? state.open : findTurn(state, turn);
      if (isRefusal(selected)) return selected;
      return draftsView(state, selected, { ...page, ...(only && { only: only.split(',').map(Number) }) });
    }),

    'GET /api/threads/:thread/status': view(({ state }) => statusView(state, isServed())),

    'GET /api/threads/:thread/history': view(({ state }, { query }) => historyView(state, query)),

    'GET /api/threads/:thread/iterations': view(({ state }, { query }) => iterationsView(state, query)),

    'GET /api/threads/:thread/iterations/:iter': view(({ state }, { params }) => {
      const iter = /^\d{1,9}$/.test(params.iter) ? Number(params.iter) : 0;
      return iterationView(state, iter) ?? unknownIteration(state, params.iter);
    }),

    'GET /api/threads/:thread/away': view(({ state }) => awayView(state)),

    'GET /api/threads/:thread/map': viewPool(async ({ pool }, { params, query }) => {
      const latest = clusterTimeline(pool, query.latest).flatMap(({ thoughts }) => thoughts.map(({ id }) => id));
      return { points: await mapPoints(params.thread, pool, latest) };
    }),

    'GET /api/threads/:thread/clusters': viewPool(({ pool }, { query }) => ({
      ...clusterTable(pool),
      timeline: clusterTimeline(pool, query.latest),
    })),

    'GET /api/threads/:thread/provenance': view(({ state }, { query }) => {
      const turn = findTurn(state, query.turn);
      if (isRefusal(turn)) return turn;
      const index = query.draft ?? (turn.end?.kind === 'accepted' ? turn.end.draft : turn.counts.reply);
      const draft = turn.drafts.get(index);
      if (!draft) return refuse('unknown_draft', `Turn ${turn.turn} has no draft #${index}.`);
      const provenance = provenanceOf(turn, draft, query.passage);
      const iteration = provenance.first && iterationView(state, provenance.first.iter);
      return { ...provenance, ...(iteration && { iteration }) };
    }),

    async 'GET /api/threads/:thread/archive'({ params }) {
      const loaded = await loadMode(engine, params.thread, 'dialogue', 'only a dialogue has drafts');
      if (isRefusal(loaded)) return loaded;
      let body = '';
      for await (const lines of readArchive(engine.log, params.thread)) body += lines;
      return { status: 200, headers: JSONL_HEADERS, body };
    },

    'GET /api/threads/:thread/config': view(({ state }) => ({ config: state.config })),
  } satisfies Partial<RouteHandlers>;

  async function loadPool(thread: string): Promise<{ pool: ThoughtPool; seq: number } | Refusal> {
    const loaded = await loadThread(engine, thread);
    if (isRefusal(loaded)) return loaded;
    const pool = (modeState('dialogue', loaded.state) ?? modeState('exchange', loaded.state))?.pool;
    if (!pool) return wrongKind(loaded.state.thread, 'only a dialogue or an exchange has thoughts');
    return { pool, seq: loaded.seq };
  }

  async function mapPoints(thread: string, pool: ThoughtPool, thoughts: readonly number[]) {
    const embeddings = await vectorsOf(thread, pool, stopping, thoughts);
    const embeddedThoughts = thoughts.flatMap((id) => {
      const vector = embeddings?.vectors.get(id);
      return vector ? [{ id, vector }] : [];
    });
    const points = projectToMap(embeddedThoughts.map(({ vector }) => vector));
    return embeddedThoughts.map(({ id }, i) => ({ id, ...(points[i] as { x: number; y: number }) }));
  }
}

function findTurn(state: Dialogue, turn: number): Turn | Refusal {
  const turnCount = state.turns.length + (state.open ? 1 : 0);
  return turnOf(state, turn) ?? refuse('unknown_turn', `There is no turn ${turn}; there are ${turnCount}.`, { turn });
}

function unknownIteration(state: Dialogue, requested: string): Refusal {
  const iter = requested.slice(0, 20);
  return refuse('unknown_iteration', `There is no iteration ${iter}; there have been ${iterationCount(state)}.`);
}
