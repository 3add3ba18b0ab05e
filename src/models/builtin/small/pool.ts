import { Worker } from 'node:worker_threads';
import { workerFile } from '../../../platform/worker-file.ts';
import { createWaiting, type Listener, type Waiting } from '../pending-requests.ts';
import type { Asked, FromWorker, ToWorker, WorkerData } from './protocol.ts';

/** Threads that serve requests. One is started when first needed, another when all that there are have something to do. */
export interface Pool {
  /** Hands over a request; `receive` gets what comes of it, and `fail` instead if the thread dies. */
  complete(asked: Asked, listener: Listener): { cancel(): void };
  countTokens(text: string): Promise<number>;
  close(): Promise<void>;
}

interface Thread {
  readonly worker: Worker;
  readonly waiting: Waiting;
}

const FILE = workerFile(import.meta.url, './worker.ts', 'small-model.js');

export function createPool(data: WorkerData, most: number): Pool {
  const threads = new Set<Thread>();
  let ids = 0;

  function complete(asked: Asked, listener: Listener): { cancel(): void } {
    const thread = leastBusy();
    const id = ++ids;
    thread.waiting.request(id, listener);
    post(thread, { type: 'complete', id, ...asked });
    return { cancel: () => thread.waiting.isOpen(id) && post(thread, { type: 'cancel', id }) };
  }

  function countTokens(text: string): Promise<number> {
    const thread = leastBusy();
    const id = ++ids;
    const counted = thread.waiting.count(id);
    post(thread, { type: 'count', id, text });
    return counted;
  }

  function leastBusy(): Thread {
    const [idlest] = [...threads].sort((a, b) => load(a) - load(b));
    if (idlest && (load(idlest) === 0 || threads.size >= most)) return idlest;
    return startThread();
  }

  function startThread(): Thread {
    const worker = new Worker(FILE, { workerData: data });
    const thread: Thread = { worker, waiting: createWaiting() };
    threads.add(thread);
    worker.on('message', (message: FromWorker) => {
      thread.waiting.hear(message);
      if (thread.waiting.size() === 0) worker.unref();
    });
    worker.on('error', (error) => lose(thread, error));
    worker.on('exit', () => lose(thread, new Error('The thread of the model ended.')));
    return thread;
  }

  function lose(thread: Thread, error: Error): void {
    threads.delete(thread);
    thread.waiting.fail(error);
  }

  return {
    complete,
    countTokens,
    async close() {
      await Promise.all([...threads].map(({ worker }) => worker.terminate()));
    },
  };
}

/** A thread keeps the program alive only while someone waits for it. */
function post({ worker }: Thread, message: ToWorker): void {
  worker.ref();
  worker.postMessage(message);
}

function load({ waiting }: Thread): number {
  return waiting.size();
}
