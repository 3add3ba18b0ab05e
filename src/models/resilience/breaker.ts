export interface BreakerOptions {
  /** The number of consecutive failures that open the breaker. */
  readonly failures: number;
  /** How long the breaker stays open before it lets one trial request through. */
  readonly coolMs: number;
}

/** The health of a model, for display. */
export interface ModelHealth {
  readonly state: 'closed' | 'open' | 'half-open';
  readonly failures: number;
  /** The last failure, as a sentence. */
  readonly last?: string;
  /** When an open breaker allows a trial, in milliseconds since 1970. */
  readonly until?: number;
}

export interface Breaker {
  /** Whether a request may go through. The first one after the pause is a trial, and the only one. */
  enter(): boolean;
  succeeded(): void;
  failed(message: string): void;
  /** The request says nothing about the model: it was cancelled, or was at fault itself. */
  unsettled(): void;
  health(): ModelHealth;
}

/** Protects a model that keeps failing, and the callers who would wait for it. */
export function createBreaker({ failures: maxFailures, coolMs }: BreakerOptions, now: () => number): Breaker {
  let failures = 0;
  let openUntil: number | undefined;
  let isTrialRunning = false;
  let lastFailure: string | undefined;
  return {
    enter: () => {
      if (openUntil === undefined) return true;
      if (isTrialRunning || now() < openUntil) return false;
      isTrialRunning = true;
      return true;
    },
    succeeded: () => {
      failures = 0;
      isTrialRunning = false;
      openUntil = undefined;
      lastFailure = undefined;
    },
    failed: (message) => {
      failures++;
      lastFailure = message;
      if (isTrialRunning || failures >= maxFailures) openUntil = now() + coolMs;
      isTrialRunning = false;
    },
    unsettled: () => {
      isTrialRunning = false;
    },
    health: () => ({
      state: openUntil === undefined ? 'closed' : isTrialRunning || now() >= openUntil ? 'half-open' : 'open',
      failures,
      ...(lastFailure !== undefined && { last: lastFailure }),
      ...(openUntil !== undefined && { until: openUntil }),
    }),
  };
}
