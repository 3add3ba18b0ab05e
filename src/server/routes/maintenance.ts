import { isRefusal } from '../../core/refusal.ts';
import type { RouteHandlers } from '../http/edge.ts';
import { spoolUpload } from '../http/spool.ts';
import { createWorkLines } from '../streams/work-lines.ts';
import type { RouteContext } from './context.ts';

type MaintenanceHandlers = Pick<RouteHandlers, 'POST /api/import' | 'POST /api/rebuild'>;

export function maintenanceHandlers(context: RouteContext): MaintenanceHandlers {
  const { engine } = context;
  const streamWork = createWorkLines(context);
  return {
    /** Verification reads the file more than once, so the upload goes to disk first. */
    async 'POST /api/import'(call) {
      const spool = await spoolUpload(call.inbound);
      if (isRefusal(spool)) return spool;
      return streamWork(call, async (progressOf, signal) => {
        const mine = call.query.mine === 'true';
        const options = { signal, mine, onProving: progressOf('proving'), onProgress: progressOf('storing') };
        try {
          return { imported: await engine.adopt(spool.file, options) };
        } finally {
          await spool.remove();
        }
      });
    },

    'POST /api/rebuild': (call) =>
      streamWork(call, async (progressOf) => ({ rebuilt: await engine.rebuild(progressOf('rebuilding')) })),
  };
}
