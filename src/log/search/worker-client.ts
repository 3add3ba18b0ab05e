import { once } from 'node:events';
import { createWorkerCalls } from '../../platform/worker-calls.ts';
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

/** The word index on its own thread: indexing a long text takes a while, and nothing else waits for it (T23). */
export function createWorkerSearch(path: string): SearchIndex & { close(): Promise<void> } {
  const { callWorker, runningWorker } = createWorkerCalls<Omit<SearchCall, 'id'>, SearchReturn>(
    WORKER_FILE,
    path,
    () => new StoreUnavailable('The word index was closed.'),
  );

  async function callIndex<Value>(method: SearchCall['method'], ...parameters: readonly unknown[]): Promise<Value> {
    const reply = await callWorker({ method, parameters });
    if ('kind' in reply) throw new SEARCH_ERRORS[reply.kind](reply.error);
    return reply.value as Value;
  }

  return {
    mark: () => callIndex('mark'),
    put: (from, to, texts) => callIndex('put', from, to, texts),
    clear: () => callIndex('clear'),
    find: (indexQuery, below, limit) => callIndex('find', indexQuery, below, limit),
    async close() {
      const worker = runningWorker();
      if (!worker) return;
      const exit = once(worker, 'exit');
      await callIndex('close');
      worker.ref();
      await exit;
    },
  };
}
