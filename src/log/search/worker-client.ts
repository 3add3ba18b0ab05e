import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { workerFile } from '../../platform/worker-file.ts';
import { NoSpace, StoreUnavailable } from '../event-log.ts';
import type { SearchIndex } from './search-index.ts';

/** A call of the index, and what became of it. */
export interface SearchCall {
  readonly id: number;
  readonly method: keyof SearchIndex | 'close';
  readonly parameters: readonly unknown[];
}
export type SearchReturn =
  | { readonly id: number; readonly value: unknown }
  | { readonly id: number; readonly error: string; readonly kind: keyof typeof ERRORS };

export const ERRORS = { NoSpace, StoreUnavailable, Error };

const FILE = workerFile(import.meta.url, './search-worker.ts', 'search-index.js');

interface Thread {
  readonly worker: Worker;
  readonly calls: Map<number, PromiseWithResolvers<unknown>>;
}

/** The index of words on a thread of its own: a long text takes a while, and nobody else waits for it (T23). */
export function createSearchThread(path: string): SearchIndex & { close(): Promise<void> } {
  let current: Thread | undefined;
  let count = 0;

  function start(): Thread {
    const worker = new Worker(FILE, { workerData: path });
    const thread: Thread = { worker, calls: new Map() };
    worker.on('message', (answer: SearchReturn) => settle(thread, answer));
    worker.on('error', (error) => end(thread, error));
    worker.on('exit', () => end(thread, new StoreUnavailable('The index of words was closed.')));
    worker.unref();
    return thread;
  }

  function settle({ worker, calls }: Thread, answer: SearchReturn) {
    const call = calls.get(answer.id);
    calls.delete(answer.id);
    if (calls.size === 0) worker.unref();
    if ('kind' in answer) call?.reject(new ERRORS[answer.kind](answer.error));
    else call?.resolve(answer.value);
  }

  function end(thread: Thread, error: unknown) {
    if (current === thread) current = undefined;
    for (const call of thread.calls.values()) call.reject(error);
    thread.calls.clear();
  }

  function ask<Value>(method: SearchCall['method'], ...parameters: readonly unknown[]): Promise<Value> {
    current ??= start();
    const { worker, calls } = current;
    const call = Promise.withResolvers<unknown>();
    const question: SearchCall = { id: ++count, method, parameters };
    calls.set(question.id, call);
    // A process does not end while it waits for an answer.
    worker.ref();
    worker.postMessage(question);
    return call.promise as Promise<Value>;
  }

  return {
    mark: () => ask('mark'),
    put: (from, to, texts) => ask('put', from, to, texts),
    clear: () => ask('clear'),
    find: (wanted, under, limit) => ask('find', wanted, under, limit),
    async close() {
      if (!current) return;
      const { worker } = current;
      const exited = once(worker, 'exit');
      await ask('close');
      worker.ref();
      await exited;
    },
  };
}
