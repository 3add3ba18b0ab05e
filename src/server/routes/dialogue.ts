import { type Dialogue, iterOf, type Turn, turnOf } from '../../core/dialogue/state.ts';
import { awayView } from '../../core/dialogue/view/away.ts';
import { provenanceOf } from '../../core/dialogue/view/provenance.ts';
import { draftsView, historyView, iterationView, statusView } from '../../core/dialogue/view/view.ts';
import { mapOf } from '../../core/pool/map.ts';
import type { Pool } from '../../core/pool/state.ts';
import { clusterTable, timeline } from '../../core/pool/view.ts';
import { isRefusal, type Refusal, refuse } from '../../core/refusal.ts';
import { withArticle } from '../../core/text/article.ts';
import type { ThreadState } from '../../core/threads/state.ts';
import { modeState } from '../../core/workspace.ts';
import { createKnown } from '../../engine/pool/vectors.ts';
import { archiveText } from '../../formats/export/dialogue-archive.ts';
import { cursorOf } from '../../protocol/cursor.ts';
import type { dialogueRoutes } from '../../protocol/dialogue.ts';
import type { Handlers } from '../http/edge.ts';
import { DATA_HEADERS } from '../http/security.ts';
import { type Parts, stateOf } from './context.ts';

type DialogueRoutes = Pick<Handlers, keyof typeof dialogueRoutes>;

const LINES = { ...DATA_HEADERS, 'content-type': 'application/jsonl; charset=utf-8' };

/** How dialogues are read (C7). */
export function dialogueHandlers({ engine, embedder, stopping }: Parts): DialogueRoutes {
  const vectorsOf = createKnown(embedder);

  return {
    'GET /api/threads/:thread/drafts': ({ params, query: { turn, only, ...page } }) =>
      told(params.thread, (state) => {
        const found = turn === undefined ? state.open : knownTurn(state, turn);
        if (isRefusal(found)) return found;
        return draftsView(state, found, { ...page, ...(only && { only: only.split(',').map(Number) }) });
      }),

    'GET /api/threads/:thread/status': ({ params }) => told(params.thread, statusView),

    'GET /api/threads/:thread/history': ({ params, query }) =>
      told(params.thread, (state) => historyView(state, query)),

    'GET /api/threads/:thread/iterations': ({ params, query: { before, limit } }) =>
      told(params.thread, (state) => {
        const newest = Math.min(iterOf(state), (before ?? Number.MAX_SAFE_INTEGER) - 1);
        const wanted = Array.from({ length: Math.min(limit, newest) }, (_, i) => newest - i);
        return { iterations: wanted.map((iter) => iterationView(state, iter)) };
      }),

    'GET /api/threads/:thread/iterations/:iter': ({ params }) =>
      told(params.thread, (state) => {
        const iter = /^\d{1,9}$/.test(params.iter) ? Number(params.iter) : 0;
        return iterationView(state, iter) ?? unknownIteration(state, params.iter);
      }),

    'GET /api/threads/:thread/away': ({ params }) => told(params.thread, awayView),

    'GET /api/threads/:thread/map': async ({ params, query }) => {
      const found = await poolOf(params.thread);
      if (isRefusal(found)) return found;
      const { pool, seq } = found;
      const latest = timeline(pool, query.latest).flatMap(({ thoughts }) => thoughts.map(({ id }) => id));
      const points = await placesOf(params.thread, pool, latest);
      return JSON.stringify({ points, head: cursorOf('thread', seq) });
    },

    'GET /api/threads/:thread/clusters': async ({ params, query }) => {
      const found = await poolOf(params.thread);
      if (isRefusal(found)) return found;
      const { pool, seq } = found;
      const seen = { ...clusterTable(pool), timeline: timeline(pool, query.latest) };
      return JSON.stringify({ ...seen, head: cursorOf('thread', seq) });
    },

    'GET /api/threads/:thread/provenance': ({ params, query }) =>
      told(params.thread, (state) => {
        const turn = knownTurn(state, query.turn);
        if (isRefusal(turn)) return turn;
        const index = query.draft ?? (turn.end?.kind === 'accepted' ? turn.end.draft : turn.counts.reply);
        const draft = turn.drafts.get(index);
        if (!draft) return refuse('unknown_draft', `Turn ${turn.turn} has no draft #${index}.`);
        const found = provenanceOf(turn, draft, query.passage);
        const iteration = found.first && iterationView(state, found.first.iter);
        return { ...found, ...(iteration && { iteration }) };
      }),

    async 'GET /api/threads/:thread/archive'({ params }) {
      const loaded = await dialogueOf(params.thread);
      if (isRefusal(loaded)) return loaded;
      let body = '';
      for await (const lines of archiveText(engine.log, params.thread)) body += lines;
      return { status: 200, headers: LINES, body };
    },

    'GET /api/threads/:thread/config': ({ params }) => told(params.thread, ({ config }) => ({ config })),
  };

  async function told(thread: string, view: (state: Dialogue) => object | Refusal): Promise<string | Refusal> {
    const loaded = await dialogueOf(thread);
    if (isRefusal(loaded)) return loaded;
    const seen = view(loaded.state);
    return isRefusal(seen) ? seen : JSON.stringify({ ...seen, head: cursorOf('thread', loaded.seq) });
  }

  async function dialogueOf(thread: string): Promise<{ state: Dialogue; seq: number } | Refusal> {
    const loaded = await stateOf(engine, thread);
    if (isRefusal(loaded)) return loaded;
    const state = modeState('dialogue', loaded.state);
    if (state) return { state, seq: loaded.seq };
    return wrongKind(loaded.state.thread, 'a dialogue has drafts');
  }

  async function poolOf(thread: string): Promise<{ pool: Pool; seq: number } | Refusal> {
    const loaded = await stateOf(engine, thread);
    if (isRefusal(loaded)) return loaded;
    const pool = (modeState('dialogue', loaded.state) ?? modeState('exchange', loaded.state))?.pool;
    if (!pool) return wrongKind(loaded.state.thread, 'a dialogue or an exchange has thoughts');
    return { pool, seq: loaded.seq };
  }

  async function placesOf(thread: string, pool: Pool, thoughts: readonly number[]) {
    const known = await vectorsOf(thread, pool, stopping, thoughts);
    const placed = thoughts.flatMap((id) => {
      const vector = known?.vectors.get(id);
      return vector ? [{ id, vector }] : [];
    });
    const points = mapOf(placed.map(({ vector }) => vector));
    return placed.map(({ id }, i) => ({ id, ...(points[i] as { x: number; y: number }) }));
  }
}

function wrongKind({ id, kind, title }: ThreadState, only: string): Refusal {
  return refuse('wrong_kind', `"${title}" is ${withArticle(kind)}; only ${only}.`, { thread: id });
}

function knownTurn(state: Dialogue, turn: number): Turn | Refusal {
  const there = state.turns.length + (state.open ? 1 : 0);
  return turnOf(state, turn) ?? refuse('unknown_turn', `There is no turn ${turn}; there are ${there}.`, { turn });
}

function unknownIteration(state: Dialogue, asked: string): Refusal {
  const iter = asked.slice(0, 20);
  return refuse('unknown_iteration', `There is no iteration ${iter}; there have been ${iterOf(state)}.`);
}
