import { isRefusal } from '../../core/refusal.ts';
import type { WorkLine } from '../../protocol/wire.ts';
import type { RouteHandlers } from '../http/edge.ts';
import { spoolUpload } from '../http/spool.ts';
import { createWorkLines, progressWriter } from '../streams/work-lines.ts';
import type { RouteContext } from './context.ts';

export function maintenanceHandlers(context: RouteContext) {
  const { engine } = context;
  const streamWork = createWorkLines<WorkLine>(context);
  return {
    /** Verification reads the file more than once, so the upload goes to disk first. */
    async 'POST /api/import'(call) {
      const spool = await spoolUpload(call.inbound, { nothingDone: 'Nothing was imported' });
      if (isRefusal(spool)) return spool;
      return streamWork(call, async (writeLine, signal) => {
        const mine = call.query.mine === 'true';
        const onProving = progressWriter(writeLine, 'proving');
        const options = { signal, mine, onProving, onProgress: progressWriter(writeLine, 'storing') };
        try {
          return { imported: await engine.adopt(spool.file, options) };
        } finally {
          await spool.remove();
        }
      });
    },

    'POST /api/rebuild': (call) =>
      streamWork(call, async (writeLine) => ({
        rebuilt: await engine.rebuild(progressWriter(writeLine, 'rebuilding')),
      })),
  } satisfies Partial<RouteHandlers>;
}
