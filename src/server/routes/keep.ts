import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { isRefusal, type Refusal, refuse } from '../../core/refusal.ts';
import type { WorkLine } from '../../protocol/wire.ts';
import type { Handlers } from '../edge.ts';
import { refusalOf } from '../errors.ts';
import { type Inbound, STREAMING } from '../exchange.ts';
import { DATA_HEADERS } from '../security.ts';
import type { Parts } from './parts.ts';

type KeepRoutes = Pick<Handlers, 'POST /api/import' | 'POST /api/rebuild'>;
type Doing = Extract<WorkLine, { doing: unknown }>['doing'];
/** Makes what is to be told of one kind of step. */
type Tell = (doing: Doing) => (done: number, total: number) => void;

const LINES = { ...DATA_HEADERS, 'content-type': 'application/jsonl; charset=utf-8', 'x-accel-buffering': 'no' };
const TELL_EVERY_MS = 200;

export function keepRoutes({ engine, stopping, report }: Parts): KeepRoutes {
  return {
    /** Proving reads the file more than once, so it is put on the disk first. */
    async 'POST /api/import'({ inbound }) {
      const spool = await spoolOf(inbound);
      if (isRefusal(spool)) return spool;
      return work(inbound, async (tell, signal) => {
        const parts = { signal, proving: tell('proving'), progress: tell('storing') };
        return { imported: await engine.adopt(spool.file, parts).finally(spool.remove) };
      });
    },

    'POST /api/rebuild': ({ inbound }) =>
      work(inbound, async (tell) => ({ rebuilt: await engine.rebuild(tell('rebuilding')) })),
  };

  /** Answers at once and then line by line; whoever leaves stops the work. */
  function work(inbound: Inbound, run: (tell: Tell, signal: AbortSignal) => Promise<WorkLine>): typeof STREAMING {
    const leaving = new AbortController();
    const sink = inbound.stream(LINES, () => leaving.abort());
    const say = (line: object) => sink.write(Buffer.from(engine.secrets.remove(`${JSON.stringify(line)}\n`)));
    let told = performance.now();
    const tell: Tell = (doing) => (done, total) => {
      if (performance.now() - told < TELL_EVERY_MS) return;
      told = performance.now();
      say({ doing, done, total });
    };
    void run(tell, AbortSignal.any([leaving.signal, stopping]))
      .then(say, (error) => say({ error: errorOf(error) }))
      .finally(() => sink.end());
    return STREAMING;
  }

  function errorOf(error: unknown): object {
    const refused = refusalOf(error);
    if (refused) return refused.refusal;
    if (stopping.aborted)
      return refuse('store_unavailable', 'The server was stopped. Send it again for the rest.').refusal;
    report(engine.secrets.remove(error instanceof Error ? (error.stack ?? error.message) : String(error)));
    return { code: 'internal', message: 'Something went wrong in the server; its own output says what.' };
  }
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
