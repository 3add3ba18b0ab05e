import type { Json } from '../../core/event.ts';
import { checkText } from '../../core/limits.ts';
import { isRefusal, type Refusal, refuse } from '../../core/refusal.ts';
import type { Command } from '../../core/threads/commands.ts';
import type { ThreadState } from '../../core/threads/state.ts';
import { viewThread } from '../../core/threads/view.ts';
import type { Done } from '../../engine/handle.ts';
import { type Stored, wireOf } from '../../log/event-log.ts';
import { cursorOf } from '../../protocol/cursor.ts';
import { threadRow } from '../activity.ts';
import type { Call, Handlers } from '../edge.ts';
import type { Inbound } from '../exchange.ts';
import { type Parts, stateOf } from './parts.ts';

type ThreadRoutes = Pick<
  Handlers,
  | 'GET /api/threads'
  | 'POST /api/threads'
  | 'GET /api/threads/:thread'
  | 'GET /api/threads/:thread/state'
  | 'GET /api/threads/:thread/presence'
  | 'POST /api/threads/:thread/presence'
  | 'POST /api/threads/:thread/commands/side_open'
  | 'POST /api/threads/:thread/commands/side_close'
  | 'POST /api/threads/:thread/commands/fork'
>;

export function threadRoutes({ engine, activity }: Parts): ThreadRoutes {
  return {
    async 'GET /api/threads'() {
      // The head first: whatever is committed meanwhile is then still to come for whoever goes on from it.
      const head = cursorOf('workspace', await engine.log.head());
      return JSON.stringify({ threads: await activity.threads(), head });
    },

    async 'POST /api/threads'(call) {
      const done = await command(call, { name: 'create', input: call.body });
      return isRefusal(done) ? done : `{"thread":${await rowText(done)}}`;
    },

    async 'GET /api/threads/:thread'({ params }) {
      const loaded = await stateOf(engine, params.thread);
      if (isRefusal(loaded)) return loaded;
      const newest = (await engine.log.lastOf(params.thread, loaded.seq)) as Stored;
      return JSON.stringify({ thread: threadRow(loaded.state, newest), head: cursorOf('thread', loaded.seq) });
    },

    async 'GET /api/threads/:thread/state'({ params }) {
      const loaded = await stateOf(engine, params.thread);
      if (isRefusal(loaded)) return loaded;
      return JSON.stringify({
        state: viewThread(loaded.state, engine.clock.now()),
        head: cursorOf('thread', loaded.seq),
      });
    },

    async 'GET /api/threads/:thread/presence'({ params }) {
      const loaded = await stateOf(engine, params.thread);
      if (isRefusal(loaded)) return loaded;
      return JSON.stringify({ presence: engine.presence.of(params.thread), head: cursorOf('thread', loaded.seq) });
    },

    async 'POST /api/threads/:thread/presence'({ params, body, session }) {
      const loaded = await stateOf(engine, params.thread);
      if (isRefusal(loaded)) return loaded;
      const unacceptable = checkText((body.details ?? null) as Json);
      if (unacceptable) return unacceptable;
      const declared = await engine.declare(session.actor, params.thread, body.state, body.details);
      return isRefusal(declared) ? declared : JSON.stringify({ presence: declared });
    },

    'POST /api/threads/:thread/commands/side_open': (call) =>
      onThread(call, { name: 'side_open', input: inputOf(call) }),
    'POST /api/threads/:thread/commands/side_close': (call) =>
      onThread(call, { name: 'side_close', input: inputOf(call) }),
    'POST /api/threads/:thread/commands/fork': (call) => onThread(call, { name: 'fork', input: inputOf(call) }),
  };

  async function onThread(call: CommandCall, wish: Command): Promise<string | Refusal> {
    const done = await command(call, wish);
    if (isRefusal(done)) return done;
    return `{"events":[${done.events.map(wireOf).join(',')}],"thread":${await rowText(done)}}`;
  }

  async function command(call: CommandCall, wish: Command): Promise<Done<ThreadState> | Refusal> {
    const id = commandId(call);
    if (isRefusal(id)) return id;
    return engine.handle(call.session.actor, wish, id);
  }

  /** The thread as the command left it, so that a retry is told the same however it went on. */
  async function rowText({ events, made }: Done<ThreadState>): Promise<string> {
    const thread = events[0]?.thread as string;
    const newest = events.findLast((event) => event.thread === thread) as Stored;
    const { state } = made?.after.get(thread) ?? (await engine.stateAt(thread, newest.seq));
    return JSON.stringify(threadRow(state, newest));
  }
}

type CommandCall =
  | Call<'POST /api/threads'>
  | Call<`POST /api/threads/:thread/commands/${'side_open' | 'side_close' | 'fork'}`>;

function inputOf<Body>({ params, body }: { params: { thread: string }; body: Body }): { thread: string } & Body {
  return { thread: params.thread, ...body };
}

const COMMAND_ID = /^[\x21-\x7e]{1,200}$/;

/** The client's id for its wish, or undefined when it leaves that to us. */
export function commandId({ inbound }: { readonly inbound: Inbound }): string | undefined | Refusal {
  const id = inbound.header('idempotency-key');
  if (id === undefined || COMMAND_ID.test(id)) return id;
  return refuse('malformed', 'The header "Idempotency-Key" must be 1 to 200 visible ASCII characters, without spaces.');
}
