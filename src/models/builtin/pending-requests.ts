import type { Chunk } from '../model.ts';

/** Who asked a model that answers from a thread or a process of its own. */
export interface Listener {
  receive(chunks: readonly Chunk[]): void;
  /** Instead, if the thread or process is lost. */
  fail(error: Error): void;
}

/** What comes from there, by the number of what was asked. */
export type Heard =
  | { readonly type: 'chunks'; readonly id: number; readonly chunks: readonly Chunk[] }
  | { readonly type: 'count'; readonly id: number; readonly tokens: number };

/** Those who wait for one thread or process: each hears what was for it, and all of them if it is lost. */
export function createWaiting() {
  const requests = new Map<number, Listener>();
  const counts = new Map<number, { resolve(tokens: number): void; reject(error: Error): void }>();

  function hear(message: Heard): void {
    const { id } = message;
    if (message.type === 'count') {
      counts.get(id)?.resolve(message.tokens);
      counts.delete(id);
      return;
    }
    const listener = requests.get(id);
    const last = message.chunks.at(-1);
    if (last?.type === 'done' || last?.type === 'refused') requests.delete(id);
    listener?.receive(message.chunks);
  }

  function fail(error: Error): void {
    const [listeners, counting] = [[...requests.values()], [...counts.values()]];
    requests.clear();
    counts.clear();
    for (const listener of listeners) listener.fail(error);
    for (const { reject } of counting) reject(error);
  }

  return {
    request: (id: number, listener: Listener) => void requests.set(id, listener),
    isOpen: (id: number) => requests.has(id),
    count: (id: number) => new Promise<number>((resolve, reject) => counts.set(id, { resolve, reject })),
    hear,
    fail,
    size: () => requests.size + counts.size,
  };
}

export type Waiting = ReturnType<typeof createWaiting>;
