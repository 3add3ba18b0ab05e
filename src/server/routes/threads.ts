import type { Json } from '../../core/events/event.ts';
import { checkText } from '../../core/events/limits.ts';
import { isRefusal } from '../../core/refusal.ts';
import { mayProfile } from '../../core/threads/participants/profiles.ts';
import type { ThreadState } from '../../core/threads/state.ts';
import { viewThread } from '../../core/threads/view/view.ts';
import type { Stored } from '../../log/event-log.ts';
import { cursorOf } from '../../protocol/cursor.ts';
import type { Handlers } from '../http/edge.ts';
import { threadRow } from '../threads/activity.ts';
import { carryOut, rowText } from './commands.ts';
import { type Parts, stateOf } from './context.ts';

type ThreadRoutes = Pick<
  Handlers,
  | 'GET /api/threads'
  | 'POST /api/threads'
  | 'GET /api/threads/:thread'
  | 'GET /api/threads/:thread/state'
  | 'GET /api/threads/:thread/presence'
  | 'POST /api/threads/:thread/presence'
>;

export function threadRoutes({ engine, activity }: Parts): ThreadRoutes {
  async function viewOf(thread: ThreadState) {
    const { resumed: _, ...view } = viewThread(thread, engine.clock.now());
    const imported = await engine.imports.ofThread(thread);
    return { ...view, ...(imported && { imported }) };
  }

  return {
    async 'GET /api/threads'() {
      // The head first: whatever is committed meanwhile is then still to come for whoever goes on from it.
      const head = cursorOf('workspace', await engine.log.head());
      return JSON.stringify({ threads: await activity.threads(), head });
    },

    async 'POST /api/threads'(call) {
      const done = await carryOut(engine, call, { name: 'create', input: call.body });
      return isRefusal(done) ? done : `{"thread":${await rowText(engine, done)}}`;
    },

    async 'GET /api/threads/:thread'({ params }) {
      const loaded = await stateOf(engine, params.thread);
      if (isRefusal(loaded)) return loaded;
      const newest = (await engine.log.lastOf(params.thread, loaded.seq)) as Stored;
      return JSON.stringify({
        thread: await threadRow(engine, loaded.state, newest),
        head: cursorOf('thread', loaded.seq),
      });
    },

    async 'GET /api/threads/:thread/state'({ params }) {
      const loaded = await stateOf(engine, params.thread);
      if (isRefusal(loaded)) return loaded;
      return JSON.stringify({
        state: await viewOf(loaded.state.thread),
        head: cursorOf('thread', loaded.seq),
      });
    },

    async 'GET /api/threads/:thread/presence'({ params }) {
      const loaded = await stateOf(engine, params.thread);
      if (isRefusal(loaded)) return loaded;
      return JSON.stringify({ presence: engine.present(loaded.state), head: cursorOf('thread', loaded.seq) });
    },

    async 'POST /api/threads/:thread/presence'({ params, body, session }) {
      const loaded = await stateOf(engine, params.thread);
      if (isRefusal(loaded)) return loaded;
      const unacceptable = checkText((body.details ?? null) as Json);
      if (unacceptable) return unacceptable;
      // For the moment, too, nobody calls itself more than it is (T22).
      const context = { ...engine.clock, now: engine.clock.now(), actor: session.actor };
      const refused = mayProfile(loaded.state.thread, session.actor.id, body.details ?? {}, context);
      if (refused) return refused;
      const declared = await engine.declare(session.actor, params.thread, body.state, body.details);
      return isRefusal(declared) ? declared : JSON.stringify({ presence: declared });
    },
  };
}
