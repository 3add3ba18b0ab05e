import { isRefusal, type Refusal, refuse } from '../../core/refusal.ts';
import type { Call } from '../http/edge.ts';
import type { Answered } from '../http/request.ts';
import type { Parts } from '../routes/context.ts';
import { createWorkLines } from '../streams/work-lines.ts';
import { filesOf, storeLooms } from './import.ts';
import { type LoomReader, openLoomReader } from './reader.ts';

type ImportCall = Call<'POST /api/looms/import'>;

/** Imports of one participant go one after the other: however many are sent, one is in memory (T23). */
export function createLoomImports(parts: Parts) {
  const { engine, credentials, stopping } = parts;
  const work = createWorkLines(parts);
  const queues = new Map<string, Promise<unknown>>();

  return async function importLooms(call: ImportCall): Promise<Answered | Refusal> {
    const { actor } = call.session;
    const release = await turnOf(actor.id);
    const reader = await read(call).catch((error) => {
      release();
      throw error;
    });
    if (isRefusal(reader)) {
      release();
      return reader;
    }
    return work(call, async (tell, signal) => {
      try {
        return { looms: await storeLooms(engine, actor, reader, { signal, progress: tell('storing') }) };
      } finally {
        reader.close();
        release();
      }
    });
  };

  /** Waits for this participant's imports before; call the result when this one is over. */
  async function turnOf(participant: string): Promise<() => void> {
    let release = () => {};
    const over = new Promise<void>((resolve) => {
      release = resolve;
    });
    const before = queues.get(participant);
    const last = Promise.resolve(before).then(() => over);
    queues.set(participant, last);
    void last.then(() => queues.get(participant) === last && queues.delete(participant));
    await before;
    return release;
  }

  async function read({ inbound, query, session }: ImportCall): Promise<LoomReader | Refusal> {
    const { actor, token, credential } = session;
    const files = await filesOf(
      inbound.chunks(),
      actor.kind === 'human' ? undefined : engine.agentLimits().importBytes,
    );
    if (isRefusal(files)) return files;
    const signal = AbortSignal.any([stopping, inbound.gone(), credentials.revocation(token, credential)]);
    try {
      const reader = await openLoomReader(files, query.format, signal);
      if (isRefusal(reader)) return reader;
      const refused = await engine.allows(actor, { threads: reader.looms.length, invitations: 0 });
      if (refused) reader.close();
      return refused ?? reader;
    } catch (error) {
      if (signal.aborted) return refuse('malformed', 'The request was broken off. Nothing was imported.');
      throw error;
    }
  }
}
