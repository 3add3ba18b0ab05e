import { checkText } from '../../core/events/limits.ts';
import { isRefusal } from '../../core/refusal.ts';
import { checkProfile } from '../../core/threads/participants/profiles.ts';
import { viewThread } from '../../core/threads/view/view.ts';
import type { StoredEvent } from '../../log/event-log.ts';
import { cursorOf } from '../../protocol/cursor.ts';
import type { RouteHandlers } from '../http/edge.ts';
import { buildThreadRow } from '../threads/activity.ts';
import { runCommand, threadRowJson } from './commands.ts';
import { loadThread, type RouteContext } from './context.ts';
import { createViews } from './views.ts';

export function threadHandlers({ engine, activity }: RouteContext) {
  const view = createViews((thread) => loadThread(engine, thread));

  return {
    async 'GET /api/threads'({ query }) {
      // Read the head first: events committed meanwhile then come after it, and a client that continues from it misses
      // none.
      const head = cursorOf('workspace', await engine.log.head());
      return JSON.stringify({ threads: await activity.listThreads(query), head });
    },

    async 'POST /api/threads'(call) {
      const result = await runCommand(engine, call, { name: 'create', input: call.body });
      return isRefusal(result) ? result : `{"thread":${await threadRowJson(engine, result)}}`;
    },

    'GET /api/threads/:thread': view(async ({ state, seq }, { params }) => {
      const newest = (await engine.log.lastOf(params.thread, seq)) as StoredEvent;
      return { thread: await buildThreadRow(engine, state, newest) };
    }),

    'GET /api/threads/:thread/state': view(async ({ state: { thread } }) => {
      const { resumed: _, ...threadView } = viewThread(thread, engine.clock.now());
      const imported = await engine.imports.ofThread(thread);
      return { state: { ...threadView, ...(imported && { imported }) } };
    }),

    'GET /api/threads/:thread/fold': view(async ({ state: { thread: fold } }) => {
      const imported = await engine.imports.ofThread(fold);
      return { fold, ...(imported && { imported }), now: engine.clock.now() };
    }),

    'GET /api/threads/:thread/presence': view(({ state }) => ({ presence: engine.presencesOf(state) })),

    'POST /api/threads/:thread/presence': view(async ({ state }, { params, body, session }) => {
      const textRefusal = checkText(body.details ?? null);
      if (textRefusal) return textRefusal;
      // Presence is checked like a profile: nobody may claim to be more than they are (T22).
      const context = { ...engine.clock, now: engine.clock.now(), actor: session.actor };
      const refusal = checkProfile(state.thread, session.actor.id, body.details ?? {}, context);
      if (refusal) return refusal;
      const newPresence = await engine.declare(session.actor, params.thread, body.state, body.details);
      return isRefusal(newPresence) ? newPresence : JSON.stringify({ presence: newPresence });
    }),
  } satisfies Partial<RouteHandlers>;
}
