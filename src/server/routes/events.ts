import type { Context as DecideContext } from '../../core/decider.ts';
import type { Event, Json } from '../../core/events/event.ts';
import { checkText } from '../../core/events/limits.ts';
import { isRefusal, type Refusal, refuse } from '../../core/refusal.ts';
import type { Command, Post } from '../../core/threads/commands.ts';
import { threads } from '../../core/threads/domain.ts';
import type { ThreadState } from '../../core/threads/state.ts';
import type { State } from '../../core/workspace.ts';
import type { Engine } from '../../engine/engine.ts';
import { notKnown } from '../../log/credential.ts';
import { eventOf, wireOf } from '../../log/event-log.ts';
import { cursorOf } from '../../protocol/cursor.ts';
import type { Call, Handlers, Session } from '../http/edge.ts';
import { tooOften } from '../http/limits.ts';
import { type Answered, STREAMING } from '../http/request.ts';
import { STREAM_HEADERS } from '../streams/sse.ts';
import {
  type EventPage,
  pageText,
  placeIn,
  readPage,
  type Scope,
  saidIn,
  threadScope,
  workspaceScope,
} from '../threads/event-pages.ts';
import { commandId } from './commands.ts';
import { eventIn, isId, type Parts, stateOf } from './context.ts';

type EventRoutes = Pick<
  Handlers,
  | 'GET /api/threads/:thread/conversation'
  | 'GET /api/threads/:thread/events'
  | 'POST /api/threads/:thread/events'
  | 'GET /api/threads/:thread/events/:event'
  | 'GET /api/events/:event'
  | 'GET /api/threads/:thread/events/:event/delivery'
  | 'POST /api/threads/:thread/delivery'
  | 'GET /api/threads/:thread/stream'
  | 'GET /api/events'
  | 'GET /api/stream'
>;

export function eventRoutes(parts: Parts): EventRoutes {
  const { engine, credentials, deliveries, streams, limits, stopping, report } = parts;

  return {
    async 'POST /api/threads/:thread/events'(call) {
      const { params, body, session } = call;
      const id = commandId(call);
      if (isRefusal(id)) return id;
      const input = { thread: params.thread, ...body } as Post;
      const unknown = await unknownReply(engine, params.thread, input);
      if (unknown) return unknown;
      const done = await engine.handle(session.actor, { name: 'post', input }, id);
      if (isRefusal(done)) return done;
      const [posted, ...also] = done.events;
      if (!posted) return presenceNotKept(params.thread);
      const { state } = done.made?.after.get(posted.thread) ?? (await engine.stateAt(posted.thread, posted.seq));
      const delivery = deliveryOf(state, done.made?.events[0] ?? eventOf(posted));
      const more = also.length === 0 ? '' : `,"also":[${also.map(wireOf).join()}]`;
      return `{"event":${wireOf(posted)},"delivery":${JSON.stringify(delivery)}${more}}`;
    },

    async 'GET /api/threads/:thread/conversation'({ params }) {
      const loaded = await stateOf(engine, params.thread);
      if (isRefusal(loaded)) return loaded;
      const rows = await saidIn(engine.log, params.thread, loaded);
      return `{"events":[${rows.map(wireOf).join()}],"head":"${cursorOf('thread', loaded.seq)}"}`;
    },

    async 'GET /api/threads/:thread/events'(call) {
      const { thread } = call.params;
      const loaded = await stateOf(engine, thread);
      if (isRefusal(loaded)) return loaded;
      return read(threadScope(engine.log, thread), thread, call);
    },

    'GET /api/events': (call) => read(workspaceScope(engine.log), undefined, call),

    async 'GET /api/threads/:thread/events/:event'({ params }) {
      const loaded = await stateOf(engine, params.thread);
      if (isRefusal(loaded)) return loaded;
      const found = await eventIn(engine, params.thread, params.event);
      if (isRefusal(found)) return found;
      return `{"event":${wireOf(found)},"head":"${cursorOf('thread', loaded.seq)}"}`;
    },

    async 'GET /api/events/:event'({ params }) {
      const found = isId(params.event) ? await engine.log.byId(params.event) : undefined;
      if (found) return `{"event":${wireOf(found)}}`;
      return refuse('unknown_event', `There is no event ${params.event.slice(0, 64)} in this workspace.`);
    },

    async 'GET /api/threads/:thread/events/:event/delivery'({ params }) {
      const loaded = await stateOf(engine, params.thread);
      if (isRefusal(loaded)) return loaded;
      const found = await eventIn(engine, params.thread, params.event);
      if (isRefusal(found)) return found;
      const { state } = await engine.stateAt(params.thread, found.seq);
      return JSON.stringify({
        delivery: deliveries.explain(state, eventOf(found)),
        head: cursorOf('thread', loaded.seq),
      });
    },

    async 'POST /api/threads/:thread/delivery'({ params, body, session }) {
      const loaded = await stateOf(engine, params.thread);
      if (isRefusal(loaded)) return loaded;
      const input = { thread: params.thread, ...body } as Post;
      const unknown = await unknownReply(engine, params.thread, input);
      if (unknown) return unknown;
      const imagined = await imagine({ state: loaded.state.thread, seq: loaded.seq }, input, session);
      if (isRefusal(imagined)) return imagined;
      const { state, event } = imagined;
      const delivery = event ? deliveries.explain({ ...loaded.state, thread: state }, event) : [];
      return JSON.stringify({ delivery, head: cursorOf('thread', loaded.seq) });
    },

    async 'GET /api/threads/:thread/stream'(call) {
      const loaded = await stateOf(engine, call.params.thread);
      if (isRefusal(loaded)) return loaded;
      return stream(call, threadScope(engine.log, call.params.thread), call.params.thread);
    },

    'GET /api/stream': (call) => stream(call, workspaceScope(engine.log), undefined),
  };

  /** It is stored, so that is the answer, even where nothing can be said about who will hear of it (L26). */
  function deliveryOf(state: State, event: Event): ReturnType<typeof deliveries.explainPost> {
    try {
      return deliveries.explainPost(state, event);
    } catch (error) {
      report(engine.secrets.remove(String(error)));
      return [];
    }
  }

  async function read(
    scope: Scope,
    thread: string | undefined,
    call: Call<'GET /api/events'>,
  ): Promise<string | Refusal> {
    const page = call.query.wait > 0 ? await waitFor(scope, thread, call) : await readPage(scope, call.query);
    return isRefusal(page) ? page : pageText(scope, page);
  }

  /** Waits for the first event behind the cursor. Listening begins before reading, so that none falls between. */
  async function waitFor(
    scope: Scope,
    thread: string | undefined,
    { query, inbound, session }: Call<'GET /api/events'>,
  ): Promise<EventPage | Refusal> {
    const { token, credential } = session;
    const over = new AbortController();
    const endings = [over.signal, stopping, inbound.gone(), credentials.revocation(token, credential)];
    const changed = engine.tail.changed(thread, query.wait * 1000, AbortSignal.any(endings));
    try {
      const page = await readPage(scope, query);
      if (isRefusal(page) || query.before !== undefined || stopping.aborted) return page;
      const isNews = page.rows.length === 0 && (await changed);
      // Asked of the log, as another server may have revoked it and this one not have heard of it yet (I25).
      if (!(await credentials.look(token))) return notKnown();
      return isNews ? await readPage(scope, { ...query, after: cursorOf(scope.kind, page.cursor) }) : page;
    } finally {
      over.abort();
    }
  }

  async function stream(
    { inbound, query, session }: Call<'GET /api/stream'>,
    scope: Scope,
    thread: string | undefined,
  ): Promise<Answered | Refusal> {
    const { credential, token } = session;
    const cursor = inbound.header('last-event-id') || query.after;
    const after = await placeIn(scope, cursor, await scope.head());
    if (isRefusal(after)) return after;
    if (streams.openBy(credential) >= limits.streams) {
      return tooOften(`This credential has ${limits.streams} streams open, and may have no more.`, 5);
    }
    if (inbound.method === 'HEAD') return { status: 200, headers: STREAM_HEADERS, body: '' };
    const opening = { ...(thread !== undefined && { thread }), after, credential, token };
    streams.start(opening, (closed) => inbound.stream(STREAM_HEADERS, closed));
    return STREAMING;
  }

  /** The event as it would be, and the state it would leave: decided like a real one, then forgotten. */
  async function imagine(
    { state, seq }: { state: ThreadState; seq: number },
    input: Post,
    { actor }: Session,
  ): Promise<{ state: ThreadState; event: Event | undefined } | Refusal> {
    const now = engine.clock.now();
    const context: DecideContext = { ...engine.clock, actor, now };
    const command: Command = { name: 'post', input };
    const line = await lineOf(state);
    const decided = threads.decide({ thread: (id) => line.get(id), seq: () => seq }, command, context);
    if (isRefusal(decided)) return decided;
    const [fresh] = decided;
    if (!fresh) return { state, event: undefined };
    const unacceptable = checkText({ content: fresh.content, ...(fresh.meta as Json as object) });
    if (unacceptable) return unacceptable;
    const event: Event = {
      id: engine.clock.newId(),
      ts: now,
      seq: seq + 1,
      v: 1,
      hash: '',
      ...fresh,
      from: actor.id,
      to: fresh.to ?? 'all',
      meta: { ...fresh.meta, by: actor.kind },
    };
    return { state: threads.evolve(state, event), event };
  }

  /** A thread and those it is a side channel of: what is decided in it depends on them. */
  async function lineOf(state: ThreadState): Promise<ReadonlyMap<string, ThreadState>> {
    const line = new Map([[state.id, state]]);
    for (let at = state.sideOf?.thread; at !== undefined && !line.has(at); ) {
      const parent = (await engine.state(at))?.state.thread;
      if (!parent) break;
      line.set(at, parent);
      at = parent.sideOf?.thread;
    }
    return line;
  }
}

/** What is replied to must be there (T27); whether a task is open, deciding on its result says. */
async function unknownReply(engine: Engine, thread: string, { type, meta }: Post): Promise<Refusal | undefined> {
  if (meta?.reply_to === undefined || type === 'result') return undefined;
  const unacceptable = checkText(meta.reply_to);
  if (unacceptable) return unacceptable;
  const found = await eventIn(engine, thread, meta.reply_to);
  return isRefusal(found)
    ? refuse('unknown_event', `${found.refusal.message} Nothing was posted; check "meta.reply_to".`, { thread })
    : undefined;
}

function presenceNotKept(thread: string): Refusal {
  return refuse(
    'malformed',
    'This thread keeps no record of presence. Say how you are at …/presence, or have a human switch it on with the "presence_log" control.',
    { thread },
  );
}
