// The worker thread of a workspace's word index.
import { parentPort, workerData } from 'node:worker_threads';
import { workInBackground } from '../../platform/background.ts';
import { NoSpace, StoreUnavailable } from '../event-log.ts';
import { createSqliteSearch } from './sqlite-search.ts';
import type { SEARCH_ERRORS, SearchCall, SearchReturn } from './worker-client.ts';

workInBackground();
const index = createSqliteSearch(workerData as string);
parentPort?.on('message', async ({ id, method, parameters }: SearchCall) => {
  if (method === 'close') return close(id);
  const searchMethod = index[method] as (...args: readonly unknown[]) => Promise<unknown>;
  const reply: SearchReturn = await searchMethod(...parameters).then(
    (value) => ({ id, value }),
    (error: Error) => ({ id, error: error.message, kind: errorKindOf(error) }),
  );
  parentPort?.postMessage(reply);
});

function close(id: number) {
  index.close();
  parentPort?.postMessage({ id, value: undefined } satisfies SearchReturn);
  parentPort?.close();
}

function errorKindOf(error: Error): keyof typeof SEARCH_ERRORS {
  if (error instanceof NoSpace) return 'NoSpace';
  return error instanceof StoreUnavailable ? 'StoreUnavailable' : 'Error';
}
