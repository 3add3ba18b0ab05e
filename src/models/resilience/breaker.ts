export interface BreakerOptions {
  /** Failures in a row that open it. */
  readonly failures: number;
  /** How long it stays open before one request may try. */
  readonly coolMs: number;
}

/** How a model does, for those who look at it. */
export interface Health {
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
  failed(sentence: string): void;
  /** Nothing was learnt: the request was called off, or was at fault itself. */
  unsettled(): void;
  health(): Health;
}

/** Spares a model that keeps failing, and those who would wait for it. */
export function createBreaker({ failures: most, coolMs }: BreakerOptions, now: () => number): Breaker {
  let failures = 0;
  let until: number | undefined;
  let trying = false;
  let last: string | undefined;
  return {
    enter: () => {
      if (until === undefined) return true;
      if (trying || now() < until) return false;
      trying = true;
      return true;
    },
    succeeded: () => {
      failures = 0;
      trying = false;
      until = undefined;
      last = undefined;
    },
    failed: (sentence) => {
      failures++;
      last = sentence;
      if (trying || failures >= most) until = now() + coolMs;
      trying = false;
    },
    unsettled: () => {
      trying = false;
    },
    health: () => ({
      state: until === undefined ? 'closed' : trying || now() >= until ? 'half-open' : 'open',
      failures,
      ...(last !== undefined && { last }),
      ...(until !== undefined && { until }),
    }),
  };
}
