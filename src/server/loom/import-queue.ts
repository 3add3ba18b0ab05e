import { isRefusal, type Refusal, refuse } from '../../core/refusal.ts';
import type { WorkLine } from '../../protocol/wire.ts';
import type { RouteCall } from '../http/edge.ts';
import type { ResponseOrStream } from '../http/request.ts';
import type { RouteContext } from '../routes/context.ts';
import { createWorkLines, progressWriter } from '../streams/work-lines.ts';
import { readUploadedFiles, storeLooms } from './import.ts';
import { type LoomReader, openLoomReader } from './reader.ts';

type LoomImportCall = RouteCall<'POST /api/looms/import'>;

/** Runs the imports of a participant one at a time: however many are sent, only one is in memory (T23). */
export function createLoomImporter(context: RouteContext) {
  const { engine, credentials, stopping } = context;
  const streamWork = createWorkLines<WorkLine>(context);
  const queues = new Map<string, Promise<unknown>>();

  return async function importLooms(call: LoomImportCall): Promise<ResponseOrStream | Refusal> {
    const { actor } = call.session;
    const release = await waitForTurn(actor.id);
    const reader = await openReader(call).catch((error) => {
      release();
      throw error;
    });
    if (isRefusal(reader)) {
      release();
      return reader;
    }
    return streamWork(call, async (writeLine, signal) => {
      try {
        const onProgress = progressWriter(writeLine, 'storing');
        return { looms: await storeLooms(engine, actor, reader, { signal, onProgress }) };
      } finally {
        reader.close();
        release();
      }
    });
  };

  /** Waits for this participant's earlier imports; call the result when this one is done. */
  async function waitForTurn(participant: string): Promise<() => void> {
    let release = () => {};
    const finished = new Promise<void>((resolve) => {
      release = resolve;
    });
    const previous = queues.get(participant);
    const queueEnd = Promise.resolve(previous).then(() => finished);
    queues.set(participant, queueEnd);
    void queueEnd.then(() => queues.get(participant) === queueEnd && queues.delete(participant));
    await previous;
    return release;
  }

  async function openReader({ inbound, query, session }: LoomImportCall): Promise<LoomReader | Refusal> {
    const { actor, token, credential } = session;
    const files = await readUploadedFiles(
      inbound.chunks(),
      actor.kind === 'human' ? undefined : engine.agentLimits().importBytes,
    );
    if (isRefusal(files)) return files;
    const signal = AbortSignal.any([stopping, inbound.disconnectSignal(), credentials.revocation(token, credential)]);
    try {
      const reader = await openLoomReader(files, query.format, signal);
      if (isRefusal(reader)) return reader;
      const refusal = await engine.checkAllowance(actor, { threads: reader.looms.length, invitations: 0 });
      if (refusal) reader.close();
      return refusal ?? reader;
    } catch (error) {
      if (signal.aborted) return refuse('malformed', 'The request was interrupted. Nothing was imported.');
      throw error;
    }
  }
}
