import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { workerFile } from '../../platform/worker-file.ts';
import { NoSpace, StoreUnavailable } from '../event-log.ts';
import type { SearchIndex } from './search-index.ts';

/** A call to the index, and its result. */
export interface SearchCall {
  readonly id: number;
  readonly method: keyof SearchIndex | 'close';
  readonly parameters: readonly unknown[];
}
export type SearchReturn =
  | { readonly id: number; readonly value: unknown }
  | { readonly id: number; readonly error: string; readonly kind: keyof typeof SEARCH_ERRORS };

export const SEARCH_ERRORS = { NoSpace, StoreUnavailable, Error };

const WORKER_FILE = workerFile(import.meta.url, './search-worker.ts', 'search-index.js');

interface SearchWorker {
  readonly worker: Worker;
  readonly calls: Map<number, PromiseWithResolvers<unknown>>;
}

/** The word index on its own thread: indexing a long text takes a while, and nothing else waits for it (T23). */
export function createWorkerSearch(path: string): SearchIndex & { close(): Promise<void> } {
  let running: SearchWorker | undefined;
  let callCount = 0;

  function startWorker(): SearchWorker {
    const worker = new Worker(WORKER_FILE, { workerData: path });
    const searchWorker: SearchWorker = { worker, calls: new Map() };
    worker.on('message', (reply: SearchReturn) => settleCall(searchWorker, reply));
    worker.on('error', (error) => failCalls(searchWorker, error));
    worker.on('exit', () => failCalls(searchWorker, new StoreUnavailable('The index of words was closed.')));
    worker.unref();
    return searchWorker;
  }

  function settleCall({ worker, calls }: SearchWorker, reply: SearchReturn) {
    const pendingCall = calls.get(reply.id);
    calls.delete(reply.id);
    if (calls.size === 0) worker.unref();
    if ('kind' in reply) pendingCall?.reject(new SEARCH_ERRORS[reply.kind](reply.error));
    else pendingCall?.resolve(reply.value);
  }

  function failCalls(searchWorker: SearchWorker, error: unknown) {
    if (running === searchWorker) running = undefined;
    for (const pendingCall of searchWorker.calls.values()) pendingCall.reject(error);
    searchWorker.calls.clear();
  }

  function callWorker<Value>(method: SearchCall['method'], ...parameters: readonly unknown[]): Promise<Value> {
    running ??= startWorker();
    const { worker, calls } = running;
    const pendingCall = Promise.withResolvers<unknown>();
    const message: SearchCall = { id: ++callCount, method, parameters };
    calls.set(message.id, pendingCall);
    // Keep the process alive while it waits for an answer.
    worker.ref();
    worker.postMessage(message);
    return pendingCall.promise as Promise<Value>;
  }

  return {
    mark: () => callWorker('mark'),
    put: (from, to, texts) => callWorker('put', from, to, texts),
    clear: () => callWorker('clear'),
    find: (indexQuery, below, limit) => callWorker('find', indexQuery, below, limit),
    async close() {
      if (!running) return;
      const { worker } = running;
      const exit = once(worker, 'exit');
      await callWorker('close');
      worker.ref();
      await exit;
    },
  };
}
