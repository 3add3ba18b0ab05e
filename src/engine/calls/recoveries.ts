/**
 * Callers waiting for a model that did not answer, first come first. When the model answers any caller, it has
 * recovered, and the first in the queue asks at once. Each answer releases only one, so that a model at its limit is
 * not overrun.
 */
export function createRecoveries() {
  const waiters = new Map<string, Set<() => void>>();

  return {
    /** Returns a function that stops waiting. */
    wait(model: string, onRecovery: () => void): () => void {
      const queue = waiters.get(model) ?? new Set();
      waiters.set(model, queue.add(onRecovery));
      return () => {
        queue.delete(onRecovery);
        if (queue.size === 0) waiters.delete(model);
      };
    },
    notifyAnswer(model: string): void {
      const [first] = waiters.get(model) ?? [];
      first?.();
    },
  };
}

export type Recoveries = ReturnType<typeof createRecoveries>;
