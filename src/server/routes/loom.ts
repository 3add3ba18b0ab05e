import type { Event, Json } from '../../core/events/event.ts';
import { readEvent } from '../../core/events/read.ts';
import { viewAuthorship, viewSpans } from '../../core/loom/authorship/node-spans.ts';
import { CursorMoved, type LoomEvent, type TokenRow } from '../../core/loom/events.ts';
import { searchLoom } from '../../core/loom/search.ts';
import { viewTree } from '../../core/loom/tree.ts';
import { viewNode, viewPath } from '../../core/loom/view.ts';
import { type Refusal, refuse } from '../../core/refusal.ts';
import { eventOf } from '../../log/event-log.ts';
import { SCRATCH } from '../../log/record-kinds.ts';
import { sha256 } from '../../log/seal.ts';
import type { RouteHandlers } from '../http/edge.ts';
import type { RouteContext } from './context.ts';
import { createViews, loadMode } from './views.ts';

/** Handlers that read looms, and their data that is stored outside the log (C9, W9, W22, W25). */
export function loomHandlers({ engine }: RouteContext) {
  const view = createViews((thread) => loadMode(engine, thread, 'loom', 'this needs a loom'));
  return {
    'GET /api/threads/:thread/path': view(({ state }, { params, query, session }) => {
      const { participant = session.actor.id, ...range } = query;
      return { ...viewPath(state, params.thread, participant, range), settings: state.settings };
    }),

    'GET /api/threads/:thread/tree': view(({ state }, { query, session }) => {
      const { participant = session.actor.id, from, limit } = query;
      return viewTree(state, participant, from, limit);
    }),

    'GET /api/threads/:thread/nodes/:node': view(async ({ state }, { params, session }) => {
      const node = viewNode(state, params.node, session.actor.id, sha256);
      if (!node) return unknownNode(params.thread, params.node);
      const spans = viewSpans(state, params.node);
      const [row] = node.seq === 0 ? [] : await engine.log.readThread(params.thread, node.seq - 1, 1);
      return JSON.stringify({ ...node, spans, ...(row && generationDetails(eventOf(row), params.node)) });
    }),

    'GET /api/threads/:thread/authorship': view(({ state }, { query, session }) =>
      JSON.stringify(viewAuthorship(state, query.participant ?? session.actor.id)),
    ),

    'GET /api/threads/:thread/found': view(({ state }, { query, session }) =>
      JSON.stringify(searchLoom(state, session.actor.id, query.words, query.in, query.limit)),
    ),

    'GET /api/threads/:thread/scratch': view(async (_, { params, session }) => {
      const stored = await engine.log.record(SCRATCH, scratchKey(params.thread, session.actor.id));
      return `{"scratch":${stored ?? 'null'}}`;
    }),

    'POST /api/threads/:thread/scratch': view(async (_, { params, body, session }) => {
      const key = scratchKey(params.thread, session.actor.id);
      const value = body.scratch && JSON.stringify(body.scratch);
      const secretRefusal = value === null ? undefined : engine.secrets.check(value);
      if (secretRefusal) return secretRefusal;
      await engine.log.putRecords([{ kind: SCRATCH, key, value }]);
      return JSON.stringify({ kept: value !== null });
    }),

    'POST /api/threads/:thread/cursor': view((_, { params, body, session }) => {
      engine.sendLive(CursorMoved.of(params.thread, { participant: session.actor.id, ...body }));
      return '{}';
    }),
  } satisfies Partial<RouteHandlers>;
}

function scratchKey(thread: string, participant: string): string {
  return `${thread}/${participant}`;
}

/** Details of a node that are not kept in memory: its probabilities and its generation. */
function generationDetails(stored: Event, node: string): { tokens?: object[]; details?: Json } {
  const event = readEvent<LoomEvent>(stored);
  if (event.type === 'generation.finished') {
    const { choices, shown: _, ...rest } = event.content;
    const choice = choices.find((each) => each.node === node);
    const { tokens, finish, withheld, score } = choice ?? {};
    const details = { ...rest, finish, withheld, score };
    return { ...(tokens && { tokens: tokensOf(tokens) }), details: JSON.parse(JSON.stringify(details)) };
  }
  if (event.type !== 'loom.imported') return {};
  const { tokens, model, extra } = event.content.nodes.find(({ id }) => id === node) ?? {};
  const details = { ...(model !== undefined && { model }), ...(extra && { extra }) };
  return { ...(tokens && { tokens: tokensOf(tokens) }), ...(Object.keys(details).length > 0 && { details }) };
}

function tokensOf(rows: readonly TokenRow[]): object[] {
  return rows.map(([token, logprob, others]) => {
    return { token, logprob, others: others.map(([other, value]) => ({ token: other, logprob: value })) };
  });
}

function unknownNode(thread: string, node: string): Refusal {
  return refuse('unknown_node', `There is no node ${node.slice(0, 64)} in this loom.`, { thread });
}
