import type { Context as DecideContext } from '../../core/decider.ts';
import type { Event } from '../../core/events/event.ts';
import { checkText } from '../../core/events/limits.ts';
import { isRefusal, type Refusal, refuse } from '../../core/refusal.ts';
import type { ConversationCommand, Post } from '../../core/threads/commands.ts';
import { threads } from '../../core/threads/domain.ts';
import type { ThreadState } from '../../core/threads/state.ts';
import type { State } from '../../core/workspace.ts';
import type { Engine } from '../../engine/engine.ts';
import { unknownCredential } from '../../log/credential.ts';
import { eventOf, wireTextOf } from '../../log/event-log.ts';
import { cursorOf } from '../../protocol/cursor.ts';
import type { AuthSession, RouteCall, RouteHandlers } from '../http/edge.ts';
import { rateLimited } from '../http/limits.ts';
import { type ResponseOrStream, STREAMING } from '../http/request.ts';
import { STREAM_HEADERS } from '../streams/sse.ts';
import {
  type EventPage,
  type EventScope,
  pageText,
  readConversation,
  readPage,
  resolveCursor,
  threadScope,
  wireTexts,
  workspaceScope,
} from '../threads/event-pages.ts';
import { commandIdOf } from './commands.ts';
import { findEvent, isId, loadThread, type RouteContext } from './context.ts';
import { createViews } from './views.ts';

export function eventHandlers(context: RouteContext) {
  const { engine, credentials, deliveries, streams, limits, stopping, report } = context;
  const view = createViews((thread) => loadThread(engine, thread));

  return {
    async 'POST /api/threads/:thread/events'(call) {
      const { params, body, session } = call;
      const id = commandIdOf(call);
      if (isRefusal(id)) return id;
      const input = { thread: params.thread, ...body } as Post;
      const replyRefusal = await checkReplyTarget(engine, params.thread, input);
      if (replyRefusal) return replyRefusal;
      const result = await engine.handle(session.actor, { name: 'post', input }, id);
      if (isRefusal(result)) return result;
      const [postedEvent, ...followUps] = result.events;
      if (!postedEvent) return presenceNotRecorded(params.thread);
      const { state } =
        result.change?.after.get(postedEvent.thread) ?? (await engine.stateAt(postedEvent.thread, postedEvent.seq));
      const delivery = deliveryOf(state, result.change?.events[0] ?? eventOf(postedEvent));
      const followUpJson = followUps.length === 0 ? '' : `,"also":[${followUps.map(wireTextOf).join()}]`;
      return `{"event":${wireTextOf(postedEvent)},"delivery":${JSON.stringify(delivery)}${followUpJson}}`;
    },

    'GET /api/threads/:thread/conversation': view(async (loaded, { params }) => {
      const rows = await readConversation(engine.log, params.thread, loaded);
      const texts = await wireTexts(engine.log, rows, loaded.state.thread);
      return `{"events":[${texts.join()}],"head":"${cursorOf('thread', loaded.seq)}"}`;
    }),

    'GET /api/threads/:thread/events': view((_, call) =>
      readEvents(threadScope(engine.log, call.params.thread), call.params.thread, call),
    ),

    'GET /api/events': (call) => readEvents(workspaceScope(engine.log), undefined, call),

    'GET /api/threads/:thread/events/:event': view(async ({ state, seq }, { params }) => {
      const stored = await findEvent(engine, params.thread, params.event);
      if (isRefusal(stored)) return stored;
      const [text] = await wireTexts(engine.log, [stored], state.thread);
      return `{"event":${text},"head":"${cursorOf('thread', seq)}"}`;
    }),

    async 'GET /api/events/:event'({ params }) {
      const stored = isId(params.event) ? await engine.log.byId(params.event) : undefined;
      if (stored) return `{"event":${wireTextOf(stored)}}`;
      return refuse('unknown_event', `There is no event ${params.event.slice(0, 64)} in this workspace.`);
    },

    'GET /api/threads/:thread/events/:event/delivery': view(async (_, { params }) => {
      const stored = await findEvent(engine, params.thread, params.event);
      if (isRefusal(stored)) return stored;
      const { state } = await engine.stateAt(params.thread, stored.seq);
      return { delivery: deliveries.explain(state, eventOf(stored)) };
    }),

    'POST /api/threads/:thread/delivery': view(async (loaded, { params, body, session }) => {
      const input = { thread: params.thread, ...body } as Post;
      const replyRefusal = await checkReplyTarget(engine, params.thread, input);
      if (replyRefusal) return replyRefusal;
      const preview = await previewPost({ state: loaded.state.thread, seq: loaded.seq }, input, session);
      if (isRefusal(preview)) return preview;
      const { state, event } = preview;
      return { delivery: event ? deliveries.explain({ ...loaded.state, thread: state }, event) : [] };
    }),

    async 'GET /api/threads/:thread/stream'(call) {
      const loaded = await loadThread(engine, call.params.thread);
      if (isRefusal(loaded)) return loaded;
      return openStream(call, threadScope(engine.log, call.params.thread), call.params.thread);
    },

    'GET /api/stream': (call) => openStream(call, workspaceScope(engine.log), undefined),

    async 'POST /api/streams/:stream/watch'({ params, body, session }) {
      for (const thread of body.threads) {
        const loaded = await loadThread(engine, thread);
        if (isRefusal(loaded)) return loaded;
      }
      return (
        streams.watch(params.stream, session.credential, body.threads) ?? JSON.stringify({ threads: body.threads })
      );
    },
  } satisfies Partial<RouteHandlers>;

  /** Explains a delivery. The event is stored, so the post succeeds even if the explanation fails (L26). */
  function deliveryOf(state: State, event: Event): ReturnType<typeof deliveries.explainPost> {
    try {
      return deliveries.explainPost(state, event);
    } catch (error) {
      report(engine.secrets.remove(String(error)));
      return [];
    }
  }

  async function readEvents(
    scope: EventScope,
    thread: string | undefined,
    call: RouteCall<'GET /api/events'>,
  ): Promise<string | Refusal> {
    const page = call.query.wait > 0 ? await waitForEvents(scope, thread, call) : await readPage(scope, call.query);
    if (isRefusal(page)) return page;
    const state = thread === undefined ? undefined : (await engine.state(thread))?.state.thread;
    return pageText(scope, page, await wireTexts(engine.log, page.rows, state));
  }

  /** Waits for the first event after the cursor. It subscribes before it reads, so that no event is missed. */
  async function waitForEvents(
    scope: EventScope,
    thread: string | undefined,
    { query, inbound, session }: RouteCall<'GET /api/events'>,
  ): Promise<EventPage | Refusal> {
    const { token, credential } = session;
    const finish = new AbortController();
    const signals = [finish.signal, stopping, inbound.disconnectSignal(), credentials.revocation(token, credential)];
    const change = engine.tail.waitForChange(thread, query.wait * 1000, AbortSignal.any(signals));
    try {
      const page = await readPage(scope, query);
      if (isRefusal(page) || query.before !== undefined || stopping.aborted) return page;
      const hasNewEvents = page.rows.length === 0 && (await change);
      // Look it up in the log: another server may have revoked it before this one heard (I25).
      if (!(await credentials.lookUp(token))) return unknownCredential();
      return hasNewEvents ? await readPage(scope, { ...query, after: cursorOf(scope.kind, page.cursor) }) : page;
    } finally {
      finish.abort();
    }
  }

  async function openStream(
    { inbound, query, session }: RouteCall<'GET /api/stream'>,
    scope: EventScope,
    thread: string | undefined,
  ): Promise<ResponseOrStream | Refusal> {
    const { credential, token } = session;
    const cursor = inbound.header('last-event-id') || query.after;
    const after = await resolveCursor(scope, cursor, await scope.head());
    if (isRefusal(after)) return after;
    if (streams.countStreams(credential) >= limits.streams) {
      return rateLimited(`This credential has ${limits.streams} streams open, which is the limit.`, 5);
    }
    if (inbound.method === 'HEAD') return { status: 200, headers: STREAM_HEADERS, body: '' };
    const streamRequest = { ...(thread !== undefined && { thread }), after, credential, token };
    streams.start(streamRequest, (headers, onClose) => inbound.stream(headers, onClose));
    return STREAMING;
  }

  /** Previews an event and the state after it: decided like a real post, then discarded. */
  async function previewPost(
    { state, seq }: { state: ThreadState; seq: number },
    input: Post,
    { actor }: AuthSession,
  ): Promise<{ state: ThreadState; event: Event | undefined } | Refusal> {
    const now = engine.clock.now();
    const context: DecideContext = { ...engine.clock, actor, now };
    const command: ConversationCommand = { name: 'post', input };
    const ancestors = await loadAncestors(state);
    const decision = threads.decide({ thread: (id) => ancestors.get(id), seq: () => seq }, command, context);
    if (isRefusal(decision)) return decision;
    const [newEvent] = decision;
    if (!newEvent) return { state, event: undefined };
    const textRefusal = checkText({ content: newEvent.content, ...newEvent.meta });
    if (textRefusal) return textRefusal;
    const event: Event = {
      id: engine.clock.newId(),
      ts: now,
      seq: seq + 1,
      v: 1,
      hash: '',
      ...newEvent,
      from: actor.id,
      to: newEvent.to ?? 'all',
      meta: { ...newEvent.meta, by: actor.kind },
    };
    return { state: threads.evolve(state, event), event };
  }

  /** Loads a thread and the threads it is a side channel of: decisions in it depend on them. */
  async function loadAncestors(state: ThreadState): Promise<ReadonlyMap<string, ThreadState>> {
    const ancestors = new Map([[state.id, state]]);
    for (let ancestor = state.sideOf?.thread; ancestor !== undefined && !ancestors.has(ancestor); ) {
      const parent = (await engine.state(ancestor))?.state.thread;
      if (!parent) break;
      ancestors.set(ancestor, parent);
      ancestor = parent.sideOf?.thread;
    }
    return ancestors;
  }
}

/** Checks that the event replied to exists (T27). For a result, the decision itself checks that the task is open. */
async function checkReplyTarget(engine: Engine, thread: string, { type, meta }: Post): Promise<Refusal | undefined> {
  if (meta?.reply_to === undefined || type === 'result') return undefined;
  const textRefusal = checkText(meta.reply_to);
  if (textRefusal) return textRefusal;
  const stored = await findEvent(engine, thread, meta.reply_to);
  return isRefusal(stored)
    ? refuse('unknown_event', `${stored.refusal.message} Nothing was posted; check "meta.reply_to".`, { thread })
    : undefined;
}

function presenceNotRecorded(thread: string): Refusal {
  return refuse(
    'malformed',
    'This thread does not record presence. Set yours at …/presence, or ask a human to turn it on with the "presence_log" control.',
    { thread },
  );
}
