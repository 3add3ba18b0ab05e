import type { Chunk } from '../model.ts';

/** A caller of a model that runs on its own thread or process. */
export interface ChunkListener {
  receive(chunks: readonly Chunk[]): void;
  /** Called instead of `receive` if the thread or process is lost. */
  fail(error: Error): void;
}

/** Messages from the thread or process, with the id of the request. */
export type WorkerReply =
  | { readonly type: 'chunks'; readonly id: number; readonly chunks: readonly Chunk[] }
  | { readonly type: 'count'; readonly id: number; readonly tokens: number };

/** The pending requests of one thread or process: each gets its own replies, and all fail if it is lost. */
export function createPendingRequests() {
  const listeners = new Map<number, ChunkListener>();
  const pendingCounts = new Map<number, { resolve(tokens: number): void; reject(error: Error): void }>();

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

  return {
    addRequest: (id: number, listener: ChunkListener) => void listeners.set(id, listener),
    isPending: (id: number) => listeners.has(id),
    addCount: (id: number) => new Promise<number>((resolve, reject) => pendingCounts.set(id, { resolve, reject })),
    deliver,
    fail,
    size: () => listeners.size + pendingCounts.size,
  };
}

export type PendingRequests = ReturnType<typeof createPendingRequests>;
