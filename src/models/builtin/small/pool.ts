import { Worker } from 'node:worker_threads';
import { workerFile } from '../../../platform/worker-file.ts';
import { createWorkerRequests, type ModelWorker, type WorkerReply, type WorkerRequests } from '../worker-requests.ts';
import type { SmallModelData, SmallModelTask } from './worker.ts';

interface WorkerThread {
  readonly worker: Worker;
  readonly requests: WorkerRequests<SmallModelTask>;
}

const WORKER_FILE = workerFile(import.meta.url, './worker.ts', 'small-model.js');

/** Threads that serve requests. The first starts when needed, and another when all running threads are busy. */
export function createWorkerPool(data: SmallModelData, maxThreads: number): ModelWorker<SmallModelTask> {
  const threads = new Set<WorkerThread>();

  function leastBusy(): WorkerThread {
    const [idlest] = [...threads].sort((a, b) => loadOf(a) - loadOf(b));
    if (idlest && (loadOf(idlest) === 0 || threads.size >= maxThreads)) return idlest;
    return startThread();
  }

  /** A thread keeps the process alive only while a request is pending. */
  function startThread(): WorkerThread {
    const worker = new Worker(WORKER_FILE, { workerData: data });
    const requests = createWorkerRequests<SmallModelTask>((message) => {
      worker.ref();
      worker.postMessage(message);
    });
    const thread = { worker, requests };
    threads.add(thread);
    worker.on('message', (message: WorkerReply) => {
      requests.deliver(message);
      if (requests.pendingCount() === 0) worker.unref();
    });
    worker.on('error', (error) => removeThread(thread, error));
    worker.on('exit', () => removeThread(thread, new Error('The model’s worker stopped.')));
    return thread;
  }

  function removeThread(thread: WorkerThread, error: Error): void {
    threads.delete(thread);
    thread.requests.fail(error);
  }

  return {
    complete: (task, listener) => leastBusy().requests.complete(task, listener),
    countTokens: (text) => leastBusy().requests.countTokens(text),
    async close() {
      await Promise.all([...threads].map(({ worker }) => worker.terminate()));
    },
  };
}

function loadOf({ requests }: WorkerThread): number {
  return requests.pendingCount();
}
