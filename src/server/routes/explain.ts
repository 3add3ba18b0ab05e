import { isRefusal } from '../../core/refusal.ts';
import { explain } from '../../engine/explain/explain.ts';
import type { RouteHandlers } from '../http/edge.ts';
import type { RouteContext } from './context.ts';

/** Explains where a text comes from, to everyone who may read its thread. */
export function explainHandlers({ engine }: RouteContext) {
  return {
    async 'GET /api/explain'({ query: { link, offset, whole } }) {
      const account = await explain(engine, { link, offset, whole: whole === 'yes' });
      return isRefusal(account) ? account : engine.secrets.remove(JSON.stringify(account));
    },
  } satisfies Partial<RouteHandlers>;
}
