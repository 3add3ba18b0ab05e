import { Worker } from 'node:worker_threads';

interface RunningWorker<Reply> {
  readonly worker: Worker;
  readonly calls: Map<number, PromiseWithResolvers<Reply>>;
}

/**
 * Calls to a worker thread, each answered by one message with its id. The thread is started at the first call, and
 * again after it was lost; it keeps the process alive only while a call is pending.
 */
export function createWorkerCalls<Call extends object, Reply extends { readonly id: number }>(
  file: URL,
  workerData: unknown,
  createExitError: () => Error,
) {
  let running: RunningWorker<Reply> | undefined;
  let lastId = 0;

  function startWorker(): RunningWorker<Reply> {
    const worker = new Worker(file, { workerData });
    const started: RunningWorker<Reply> = { worker, calls: new Map() };
    worker.on('message', (reply: Reply) => {
      started.calls.get(reply.id)?.resolve(reply);
      started.calls.delete(reply.id);
      if (started.calls.size === 0) worker.unref();
    });
    worker.on('error', (error) => dropWorker(started, error));
    worker.on('exit', () => dropWorker(started, createExitError()));
    return started;
  }

  function dropWorker(lost: RunningWorker<Reply>, error: unknown): void {
    if (running === lost) running = undefined;
    for (const { reject } of lost.calls.values()) reject(error);
    lost.calls.clear();
  }

  function callWorker(call: Call): Promise<Reply> {
    running ??= startWorker();
    const id = ++lastId;
    const pendingCall = Promise.withResolvers<Reply>();
    running.calls.set(id, pendingCall);
    running.worker.ref();
    running.worker.postMessage({ id, ...call });
    return pendingCall.promise;
  }

  return { callWorker, runningWorker: () => running?.worker };
}
