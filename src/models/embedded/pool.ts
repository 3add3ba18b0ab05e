import { Worker } from 'node:worker_threads';
import type { Chunk } from '../model.ts';
import { workerFile } from '../worker-file.ts';
import type { Asked, FromWorker, ToWorker, WorkerData } from './protocol.ts';

/** Threads that serve requests. One is started when first needed, another when all that there are have something to do. */
export interface Pool {
  /** Hands over a request; `receive` gets what comes of it, and `fail` instead if the thread dies. */
  complete(asked: Asked, listener: Listener): { cancel(): void };
  countTokens(text: string): Promise<number>;
  close(): Promise<void>;
}

export interface Listener {
  receive(chunks: readonly Chunk[]): void;
  fail(error: Error): void;
}

interface Thread {
  readonly worker: Worker;
  readonly requests: Map<number, Listener>;
  readonly counts: Map<number, { resolve(tokens: number): void; reject(error: Error): void }>;
}

const FILE = workerFile(import.meta.url, './worker.ts', 'small-model.js');

export function createPool(data: WorkerData, most: number): Pool {
  const threads = new Set<Thread>();
  let ids = 0;

  function complete(asked: Asked, listener: Listener): { cancel(): void } {
    const thread = leastBusy();
    const id = ++ids;
    thread.requests.set(id, listener);
    post(thread, { type: 'complete', id, ...asked });
    return { cancel: () => thread.requests.has(id) && post(thread, { type: 'cancel', id }) };
  }

  function countTokens(text: string): Promise<number> {
    const thread = leastBusy();
    const id = ++ids;
    return new Promise((resolve, reject) => {
      thread.counts.set(id, { resolve, reject });
      post(thread, { type: 'count', id, text });
    });
  }

  function leastBusy(): Thread {
    const [idlest] = [...threads].sort((a, b) => load(a) - load(b));
    if (idlest && (load(idlest) === 0 || threads.size >= most)) return idlest;
    return startThread();
  }

  function startThread(): Thread {
    const worker = new Worker(FILE, { workerData: data });
    const thread: Thread = { worker, requests: new Map(), counts: new Map() };
    threads.add(thread);
    worker.on('message', (message: FromWorker) => {
      if (message.type === 'count') settleCount(thread, message);
      else receive(thread, message);
      rest(thread);
    });
    worker.on('error', (error) => lose(thread, error));
    worker.on('exit', () => lose(thread, new Error('The thread of the model ended.')));
    return thread;
  }

  function lose(thread: Thread, error: Error): void {
    threads.delete(thread);
    for (const listener of thread.requests.values()) listener.fail(error);
    for (const { reject } of thread.counts.values()) reject(error);
    thread.requests.clear();
    thread.counts.clear();
  }

  return {
    complete,
    countTokens,
    async close() {
      await Promise.all([...threads].map(({ worker }) => worker.terminate()));
    },
  };
}

function receive({ requests }: Thread, { id, chunks }: Extract<FromWorker, { type: 'chunks' }>): void {
  const listener = requests.get(id);
  const last = chunks.at(-1);
  if (last?.type === 'done' || last?.type === 'refused') requests.delete(id);
  listener?.receive(chunks);
}

function settleCount({ counts }: Thread, { id, tokens }: Extract<FromWorker, { type: 'count' }>): void {
  counts.get(id)?.resolve(tokens);
  counts.delete(id);
}

/** A thread keeps the program alive only while someone waits for it. */
function post({ worker }: Thread, message: ToWorker): void {
  worker.ref();
  worker.postMessage(message);
}

function rest(thread: Thread): void {
  if (load(thread) === 0) thread.worker.unref();
}

function load({ requests, counts }: Thread): number {
  return requests.size + counts.size;
}
