import type { Event, Json } from '../../core/events/event.ts';
import { readEvent } from '../../core/events/read.ts';
import { viewAuthorship, viewSpans } from '../../core/loom/authorship/node-spans.ts';
import { CursorMoved, type LoomEvent, type TokenRow } from '../../core/loom/events.ts';
import { searchLoom } from '../../core/loom/search.ts';
import type { LoomState } from '../../core/loom/state.ts';
import { viewTree } from '../../core/loom/tree.ts';
import { viewNode, viewPath } from '../../core/loom/view.ts';
import { isRefusal, type Refusal, refuse } from '../../core/refusal.ts';
import { withArticle } from '../../core/text/article.ts';
import { modeState } from '../../core/workspace.ts';
import { eventOf } from '../../log/event-log.ts';
import { SCRATCH } from '../../log/record-kinds.ts';
import { sha256 } from '../../log/seal.ts';
import { cursorOf } from '../../protocol/cursor.ts';
import type { loomRoutes } from '../../protocol/loom.ts';
import type { RouteHandlers } from '../http/edge.ts';
import { loadThread, type RouteContext } from './context.ts';

type LoomHandlers = Pick<RouteHandlers, keyof typeof loomRoutes>;

/** Handlers that read looms, and their data that is stored outside the log (C9, W9, W22, W25). */
export function loomHandlers({ engine }: RouteContext): LoomHandlers {
  return {
    async 'GET /api/threads/:thread/path'({ params, query, session }) {
      const loaded = await loadLoom(params.thread);
      if (isRefusal(loaded)) return loaded;
      const { loom, head } = loaded;
      const { participant = session.actor.id, ...range } = query;
      return JSON.stringify({ ...viewPath(loom, params.thread, participant, range), settings: loom.settings, head });
    },

    async 'GET /api/threads/:thread/tree'({ params, query, session }) {
      const loaded = await loadLoom(params.thread);
      if (isRefusal(loaded)) return loaded;
      const { participant = session.actor.id, from, limit } = query;
      return JSON.stringify({ ...viewTree(loaded.loom, participant, from, limit), head: loaded.head });
    },

    async 'GET /api/threads/:thread/nodes/:node'({ params, session }) {
      const loaded = await loadLoom(params.thread);
      if (isRefusal(loaded)) return loaded;
      const node = viewNode(loaded.loom, params.node, session.actor.id, sha256);
      if (!node) return unknownNode(params.thread, params.node);
      const spans = viewSpans(loaded.loom, params.node);
      const [row] = node.seq === 0 ? [] : await engine.log.readThread(params.thread, node.seq - 1, 1);
      return JSON.stringify({ ...node, spans, ...(row && generationDetails(eventOf(row), params.node)) });
    },

    async 'GET /api/threads/:thread/authorship'({ params, query, session }) {
      const loaded = await loadLoom(params.thread);
      if (isRefusal(loaded)) return loaded;
      return JSON.stringify(viewAuthorship(loaded.loom, query.participant ?? session.actor.id));
    },

    async 'GET /api/threads/:thread/found'({ params, query, session }) {
      const loaded = await loadLoom(params.thread);
      if (isRefusal(loaded)) return loaded;
      return JSON.stringify(searchLoom(loaded.loom, session.actor.id, query.words, query.in, query.limit));
    },

    async 'GET /api/threads/:thread/scratch'({ params, session }) {
      const loaded = await loadLoom(params.thread);
      if (isRefusal(loaded)) return loaded;
      const stored = await engine.log.record(SCRATCH, scratchKey(params.thread, session.actor.id));
      return `{"scratch":${stored ?? 'null'}}`;
    },

    async 'POST /api/threads/:thread/scratch'({ params, body, session }) {
      const loaded = await loadLoom(params.thread);
      if (isRefusal(loaded)) return loaded;
      const key = scratchKey(params.thread, session.actor.id);
      const value = body.scratch && JSON.stringify(body.scratch);
      const secretRefusal = value === null ? undefined : engine.secrets.check(value);
      if (secretRefusal) return secretRefusal;
      await engine.log.putRecords([{ kind: SCRATCH, key, value }]);
      return JSON.stringify({ kept: value !== null });
    },

    async 'POST /api/threads/:thread/cursor'({ params, body, session }) {
      const loaded = await loadLoom(params.thread);
      if (isRefusal(loaded)) return loaded;
      engine.sendLive(CursorMoved.of(params.thread, { participant: session.actor.id, ...body }));
      return '{}';
    },
  };

  async function loadLoom(thread: string): Promise<{ loom: LoomState; head: string } | Refusal> {
    const loaded = await loadThread(engine, thread);
    if (isRefusal(loaded)) return loaded;
    const loom = modeState('loom', loaded.state);
    if (loom) return { loom, head: cursorOf('thread', loaded.seq) };
    const { kind, title } = loaded.state.thread;
    return refuse('wrong_kind', `"${title}" is ${withArticle(kind)}; this is for a loom.`, { thread });
  }
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
