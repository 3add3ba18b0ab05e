import { isRefusal } from '../../core/refusal.ts';
import { makeSample } from '../../engine/sample.ts';
import type { RouteHandlers } from '../http/edge.ts';
import { threadRowJson } from './commands.ts';
import type { RouteContext } from './context.ts';

export function sampleHandlers({ engine, models }: RouteContext) {
  return {
    async 'POST /api/sample'({ session }) {
      const results = await makeSample(engine, models.registry, session.actor);
      if (isRefusal(results)) return results;
      const rows = await Promise.all(results.map((result) => threadRowJson(engine, result)));
      return `{"threads":[${rows.join(',')}]}`;
    },
  } satisfies Partial<RouteHandlers>;
}
