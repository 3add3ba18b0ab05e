import { isRefusal } from '../../core/refusal.ts';
import { makeSample } from '../../engine/sample.ts';
import type { sampleRoutes } from '../../protocol/sample.ts';
import type { Handlers } from '../http/edge.ts';
import { rowText } from './commands.ts';
import type { Parts } from './context.ts';

export function sampleHandlers({ engine, models }: Parts): Pick<Handlers, keyof typeof sampleRoutes> {
  return {
    async 'POST /api/sample'({ session }) {
      const made = await makeSample(engine, models.registry, session.actor);
      if (isRefusal(made)) return made;
      const rows = await Promise.all(made.map((done) => rowText(engine, done)));
      return `{"threads":[${rows.join(',')}]}`;
    },
  };
}
