import { checkText } from '../../core/events/limits.ts';
import { isRefusal } from '../../core/refusal.ts';
import { checkProfile } from '../../core/threads/participants/profiles.ts';
import type { ThreadState } from '../../core/threads/state.ts';
import { viewThread } from '../../core/threads/view/view.ts';
import type { StoredEvent } from '../../log/event-log.ts';
import { cursorOf } from '../../protocol/cursor.ts';
import type { RouteHandlers } from '../http/edge.ts';
import { buildThreadRow } from '../threads/activity.ts';
import { runCommand, threadRowJson } from './commands.ts';
import { loadThread, type RouteContext } from './context.ts';

type ThreadHandlers = Pick<
  RouteHandlers,
  | 'GET /api/threads'
  | 'POST /api/threads'
  | 'GET /api/threads/:thread'
  | 'GET /api/threads/:thread/state'
  | 'GET /api/threads/:thread/fold'
  | 'GET /api/threads/:thread/presence'
  | 'POST /api/threads/:thread/presence'
>;

export function threadHandlers({ engine, activity }: RouteContext): ThreadHandlers {
  async function viewOf(thread: ThreadState) {
    const { resumed: _, ...view } = viewThread(thread, engine.clock.now());
    const imported = await engine.imports.ofThread(thread);
    return { ...view, ...(imported && { imported }) };
  }

  return {
    async 'GET /api/threads'() {
      // Read the head first: events committed meanwhile then come after it, and a client that continues from it misses
      // none.
      const head = cursorOf('workspace', await engine.log.head());
      return JSON.stringify({ threads: await activity.listThreads(), head });
    },

    async 'POST /api/threads'(call) {
      const result = await runCommand(engine, call, { name: 'create', input: call.body });
      return isRefusal(result) ? result : `{"thread":${await threadRowJson(engine, result)}}`;
    },

    async 'GET /api/threads/:thread'({ params }) {
      const loaded = await loadThread(engine, params.thread);
      if (isRefusal(loaded)) return loaded;
      const newest = (await engine.log.lastOf(params.thread, loaded.seq)) as StoredEvent;
      return JSON.stringify({
        thread: await buildThreadRow(engine, loaded.state, newest),
        head: cursorOf('thread', loaded.seq),
      });
    },

    async 'GET /api/threads/:thread/state'({ params }) {
      const loaded = await loadThread(engine, params.thread);
      if (isRefusal(loaded)) return loaded;
      return JSON.stringify({
        state: await viewOf(loaded.state.thread),
        head: cursorOf('thread', loaded.seq),
      });
    },

    async 'GET /api/threads/:thread/fold'({ params }) {
      const loaded = await loadThread(engine, params.thread);
      if (isRefusal(loaded)) return loaded;
      const fold = loaded.state.thread;
      const imported = await engine.imports.ofThread(fold);
      const head = cursorOf('thread', loaded.seq);
      return JSON.stringify({ fold, ...(imported && { imported }), now: engine.clock.now(), head });
    },

    async 'GET /api/threads/:thread/presence'({ params }) {
      const loaded = await loadThread(engine, params.thread);
      if (isRefusal(loaded)) return loaded;
      return JSON.stringify({ presence: engine.presencesOf(loaded.state), head: cursorOf('thread', loaded.seq) });
    },

    async 'POST /api/threads/:thread/presence'({ params, body, session }) {
      const loaded = await loadThread(engine, params.thread);
      if (isRefusal(loaded)) return loaded;
      const textRefusal = checkText(body.details ?? null);
      if (textRefusal) return textRefusal;
      // Presence is checked like a profile: nobody may claim to be more than they are (T22).
      const context = { ...engine.clock, now: engine.clock.now(), actor: session.actor };
      const refusal = checkProfile(loaded.state.thread, session.actor.id, body.details ?? {}, context);
      if (refusal) return refusal;
      const newPresence = await engine.declare(session.actor, params.thread, body.state, body.details);
      return isRefusal(newPresence) ? newPresence : JSON.stringify({ presence: newPresence });
    },
  };
}
