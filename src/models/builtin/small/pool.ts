import { Worker } from 'node:worker_threads';
import { workerFile } from '../../../platform/worker-file.ts';
import { type ChunkListener, createPendingRequests, type PendingRequests } from '../pending-requests.ts';
import type { FromWorker, SmallModelData, SmallModelTask, ToWorker } from './protocol.ts';

/** Threads that serve requests. The first starts when needed, and another when all running threads are busy. */
export interface WorkerPool {
  /** Sends a request; `receive` gets its chunks, or `fail` is called if the thread dies. */
  complete(task: SmallModelTask, listener: ChunkListener): { cancel(): void };
  countTokens(text: string): Promise<number>;
  close(): Promise<void>;
}

interface WorkerThread {
  readonly worker: Worker;
  readonly pending: PendingRequests;
}

const WORKER_FILE = workerFile(import.meta.url, './worker.ts', 'small-model.js');

export function createWorkerPool(data: SmallModelData, maxThreads: number): WorkerPool {
  const threads = new Set<WorkerThread>();
  let lastId = 0;

  function complete(task: SmallModelTask, listener: ChunkListener): { cancel(): void } {
    const thread = leastBusy();
    const id = ++lastId;
    thread.pending.addRequest(id, listener);
    post(thread, { type: 'complete', id, ...task });
    return { cancel: () => thread.pending.isPending(id) && post(thread, { type: 'cancel', id }) };
  }

  function countTokens(text: string): Promise<number> {
    const thread = leastBusy();
    const id = ++lastId;
    const tokenCount = thread.pending.addCount(id);
    post(thread, { type: 'count', id, text });
    return tokenCount;
  }

  function leastBusy(): WorkerThread {
    const [idlest] = [...threads].sort((a, b) => loadOf(a) - loadOf(b));
    if (idlest && (loadOf(idlest) === 0 || threads.size >= maxThreads)) return idlest;
    return startThread();
  }

  function startThread(): WorkerThread {
    const worker = new Worker(WORKER_FILE, { workerData: data });
    const thread: WorkerThread = { worker, pending: createPendingRequests() };
    threads.add(thread);
    worker.on('message', (message: FromWorker) => {
      thread.pending.deliver(message);
      if (thread.pending.size() === 0) worker.unref();
    });
    worker.on('error', (error) => removeThread(thread, error));
    worker.on('exit', () => removeThread(thread, new Error('The thread of the model ended.')));
    return thread;
  }

  function removeThread(thread: WorkerThread, error: Error): void {
    threads.delete(thread);
    thread.pending.fail(error);
  }

  return {
    complete,
    countTokens,
    async close() {
      await Promise.all([...threads].map(({ worker }) => worker.terminate()));
    },
  };
}

/** A thread keeps the process alive only while a request is pending. */
function post({ worker }: WorkerThread, message: ToWorker): void {
  worker.ref();
  worker.postMessage(message);
}

function loadOf({ pending }: WorkerThread): number {
  return pending.size();
}
