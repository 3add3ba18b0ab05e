import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { isRefusal, type Refusal, refuse } from '../../core/refusal.ts';
import type { Handlers } from '../edge.ts';
import type { Inbound } from '../exchange.ts';
import { createWorkLines } from '../work-lines.ts';
import type { Parts } from './parts.ts';

type KeepRoutes = Pick<Handlers, 'POST /api/import' | 'POST /api/rebuild'>;

export function keepRoutes(parts: Parts): KeepRoutes {
  const { engine } = parts;
  const work = createWorkLines(parts);
  return {
    /** Proving reads the file more than once, so it is put on the disk first. */
    async 'POST /api/import'({ inbound }) {
      const spool = await spoolOf(inbound);
      if (isRefusal(spool)) return spool;
      return work(inbound, async (tell, signal) => {
        const watched = { signal, proving: tell('proving'), progress: tell('storing') };
        return { imported: await engine.adopt(spool.file, watched).finally(spool.remove) };
      });
    },

    'POST /api/rebuild': ({ inbound }) =>
      work(inbound, async (tell) => ({ rebuilt: await engine.rebuild(tell('rebuilding')) })),
  };
}

interface Spool {
  readonly file: string;
  remove(): Promise<void>;
}

async function spoolOf(inbound: Inbound): Promise<Spool | Refusal> {
  const directory = await mkdtemp(join(tmpdir(), 'heddle-import-'));
  const file = join(directory, 'export.jsonl');
  const remove = () => rm(directory, { recursive: true, force: true });
  try {
    await pipeline(inbound.chunks(), createWriteStream(file, { mode: 0o600 }));
    return { file, remove };
  } catch (error) {
    await remove();
    if ((error as NodeJS.ErrnoException).code === 'ENOSPC') {
      return refuse(
        'no_space',
        `There is no room for the file in ${tmpdir()}. Nothing was imported; free some space there.`,
      );
    }
    return refuse('malformed', 'The request ended before its body did. Nothing was imported; send it again.');
  }
}
