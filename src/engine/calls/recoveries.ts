/**
 * Who waits for a model that did not answer, in the order in which they came. A model that answers anybody has recovered:
 * the first of them then asks at once. One for each answer, so that a model at its limit is not overrun.
 */
export function createRecoveries() {
  const waiting = new Map<string, Set<() => void>>();

  return {
    /** Returns how to stop waiting. */
    wait(model: string, onRecovery: () => void): () => void {
      const line = waiting.get(model) ?? new Set();
      waiting.set(model, line.add(onRecovery));
      return () => {
        line.delete(onRecovery);
        if (line.size === 0) waiting.delete(model);
      };
    },
    answered(model: string): void {
      const [first] = waiting.get(model) ?? [];
      first?.();
    },
  };
}

export type Recoveries = ReturnType<typeof createRecoveries>;
