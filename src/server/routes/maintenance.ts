import { isRefusal } from '../../core/refusal.ts';
import type { Handlers } from '../http/edge.ts';
import { spoolOf } from '../http/spool.ts';
import { createWorkLines } from '../streams/work-lines.ts';
import type { Parts } from './context.ts';

type KeepRoutes = Pick<Handlers, 'POST /api/import' | 'POST /api/rebuild'>;

export function keepRoutes(parts: Parts): KeepRoutes {
  const { engine } = parts;
  const work = createWorkLines(parts);
  return {
    /** Proving reads the file more than once, so it is put on the disk first. */
    async 'POST /api/import'(call) {
      const spool = await spoolOf(call.inbound);
      if (isRefusal(spool)) return spool;
      return work(call, async (tell, signal) => {
        const mine = call.query.mine === 'true';
        const watched = { signal, mine, proving: tell('proving'), progress: tell('storing') };
        try {
          return { imported: await engine.adopt(spool.file, watched) };
        } finally {
          await spool.remove();
        }
      });
    },

    'POST /api/rebuild': (call) => work(call, async (tell) => ({ rebuilt: await engine.rebuild(tell('rebuilding')) })),
  };
}
