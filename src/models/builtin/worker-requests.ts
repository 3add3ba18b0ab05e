import type { Chunk, Completion } from '../model.ts';

/** A model that runs on threads or in a process of its own. */
export interface ModelWorker<Task> {
  /** Sends a request; `receive` gets its chunks, or `fail` is called if the thread or process is lost. */
  complete(task: Task, listener: ChunkListener): { cancel(): void };
  countTokens(text: string): Promise<number>;
  close(): Promise<void>;
}

export interface ChunkListener {
  receive(chunks: readonly Chunk[]): void;
  fail(error: Error): void;
}

export interface GenerationTask {
  readonly request: Completion;
  readonly seed: number;
}

/** Messages to the thread or process, and its replies with the id of the request. */
export type WorkerRequest<Task> =
  | ({ readonly type: 'complete'; readonly id: number } & Task)
  | { readonly type: 'cancel'; readonly id: number }
  | { readonly type: 'count'; readonly id: number; readonly text: string };
export type WorkerReply =
  | { readonly type: 'chunks'; readonly id: number; readonly chunks: readonly Chunk[] }
  | { readonly type: 'count'; readonly id: number; readonly tokens: number };

export type WorkerRequests<Task> = ReturnType<typeof createWorkerRequests<Task>>;

/** The requests of one thread or process: each gets its own replies, and all fail if it is lost. */
export function createWorkerRequests<Task>(post: (message: WorkerRequest<Task>) => void) {
  const listeners = new Map<number, ChunkListener>();
  const pendingCounts = new Map<number, PromiseWithResolvers<number>>();
  let lastId = 0;

  function complete(task: Task, listener: ChunkListener): { cancel(): void } {
    const id = ++lastId;
    listeners.set(id, listener);
    post({ type: 'complete', id, ...task });
    return { cancel: () => listeners.has(id) && post({ type: 'cancel', id }) };
  }

  function countTokens(text: string): Promise<number> {
    const id = ++lastId;
    const pendingCount = Promise.withResolvers<number>();
    pendingCounts.set(id, pendingCount);
    post({ type: 'count', id, text });
    return pendingCount.promise;
  }

  function deliver(message: WorkerReply): void {
    const { id } = message;
    if (message.type === 'count') {
      pendingCounts.get(id)?.resolve(message.tokens);
      pendingCounts.delete(id);
      return;
    }
    const listener = listeners.get(id);
    const lastChunk = message.chunks.at(-1);
    if (lastChunk?.type === 'done' || lastChunk?.type === 'refused') listeners.delete(id);
    listener?.receive(message.chunks);
  }

  function fail(error: Error): void {
    const [failedListeners, failedCounts] = [[...listeners.values()], [...pendingCounts.values()]];
    listeners.clear();
    pendingCounts.clear();
    for (const listener of failedListeners) listener.fail(error);
    for (const { reject } of failedCounts) reject(error);
  }

  return { complete, countTokens, deliver, fail, pendingCount: () => listeners.size + pendingCounts.size };
}
