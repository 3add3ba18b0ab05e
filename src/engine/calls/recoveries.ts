/**
 * Who waits for a model that did not answer, in the order in which they came. A model that answers anybody has recovered:
 * the first of them then asks at once. One for each answer, so that a model at its limit is not overrun.
 */
export function createRecoveries() {
  const waiters = new Map<string, Set<() => void>>();

  return {
    /** Returns how to stop waiting. */
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
