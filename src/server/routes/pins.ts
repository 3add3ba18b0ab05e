import { isRefusal } from '../../core/refusal.ts';
import type { RouteHandlers } from '../http/edge.ts';
import { isId, type RouteContext, unknownThread } from './context.ts';

export function pinHandlers({ engine }: RouteContext) {
  return {
    async 'GET /api/pins'({ session }) {
      return JSON.stringify({ pins: await engine.pins.list(session.actor.id) });
    },

    async 'POST /api/pins'({ body, session }) {
      if (!isId(body.thread)) return unknownThread(body.thread);
      const pins = await engine.pins.change(session.actor.id, body);
      return isRefusal(pins) ? pins : JSON.stringify({ pins });
    },
  } satisfies Partial<RouteHandlers>;
}
