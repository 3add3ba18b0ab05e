export interface BreakerOptions {
  /** Failures in a row that open it. */
  readonly failures: number;
  /** How long it stays open before one request may try. */
  readonly coolMs: number;
}

/** How a model does, for those who look at it. */
export interface ModelHealth {
  readonly state: 'closed' | 'open' | 'half-open';
  readonly failures: number;
  /** What went wrong last, as a sentence. */
  readonly last?: string;
  /** When an open one may be tried, in milliseconds since 1970. */
  readonly until?: number;
}

export interface Breaker {
  /** May a request go through? The first one after the pause is a trial, and the only one. */
  enter(): boolean;
  succeeded(): void;
  failed(message: string): void;
  /** Nothing was learnt: the request was called off, or was at fault itself. */
  unsettled(): void;
  health(): ModelHealth;
}

/** Spares a model that keeps failing, and those who would wait for it. */
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
