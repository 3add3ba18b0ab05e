import { randomUUID } from 'node:crypto';
import { setTimeout as later } from 'node:timers/promises';
import { type EventLog, type Lease, StoreUnavailable } from '../../log/event-log.ts';
import { USAGE } from '../../log/record-kinds.ts';
import type { WireUsage } from '../../protocol/wire.ts';

/*
 * Totals of model usage, kept in one row each for the workspace, each model, thread, run and day: a total is one
 * look-up, even after a restart. Rows and not events, because a call may belong to no thread, and a failed call has a
 * cost but leaves no event. Several servers may write to one log, so rows are updated under a lease.
 */
export interface UsageTotals {
  readonly calls: number;
  readonly failures: number;
  readonly promptTokens: number;
  readonly generatedTokens: number;
  readonly cost: number;
}

/** The usage of one call, and what it belongs to. */
export interface CallUsage extends UsageTotals {
  readonly model: string;
  readonly thread?: string | undefined;
  /** The thread from which an agent created this one: it pays as well. */
  readonly payer?: string | undefined;
  readonly run?: string | undefined;
}

export type UsageScope = 'workspace' | 'model' | 'thread' | 'run' | 'day';

export const NO_USAGE: UsageTotals = { calls: 0, failures: 0, promptTokens: 0, generatedTokens: 0, cost: 0 };

const LEASE = 'usage';
const LEASE_MS = 5_000;
const RETRY_MS = 20;
const GIVE_UP_AFTER_MS = 15_000;

export function createUsageStore(log: EventLog, now: () => number = Date.now) {
  const holder = randomUUID();
  let pendingTotals = new Map<string, UsageTotals>();
  let lastWrite: Promise<void> = Promise.resolve();

  /** Resolves when the usage is stored. Usage added meanwhile shares one write. */
  function add(usage: CallUsage): Promise<void> {
    const day = new Date(now()).toISOString().slice(0, 10);
    const rows: readonly (readonly [UsageScope, string | undefined])[] = [
      ['workspace', 'all'],
      ['model', usage.model],
      ['thread', usage.thread],
      ['thread', usage.payer],
      ['run', usage.run],
      ['day', `${day}/${usage.model}`],
    ];
    for (const [scope, id] of rows) if (id !== undefined) addPending(`${scope} ${id}`, usage);
    return flush();
  }

  /** Writes usage that could not be written before. */
  function flush(): Promise<void> {
    const completion = lastWrite.then(write);
    lastWrite = completion.catch(() => {});
    return completion;
  }

  function addPending(row: string, totals: UsageTotals) {
    pendingTotals.set(row, addTotals(pendingTotals.get(row) ?? NO_USAGE, totals));
  }

  async function write(): Promise<void> {
    if (pendingTotals.size === 0) return;
    const batch = pendingTotals;
    pendingTotals = new Map();
    try {
      const lease = await acquireLease();
      try {
        const rows = [...batch].map(async ([row, totals]) => {
          const [scope, id] = row.split(' ', 2) as [UsageScope, string];
          return { kind: kindOf(scope), key: id, value: JSON.stringify(addTotals(await of(scope, id), totals)) };
        });
        await log.putRecords(await Promise.all(rows));
      } finally {
        // The write stands: a lease that cannot be released expires.
        await log.release(lease).catch(() => {});
      }
    } catch (error) {
      for (const [row, totals] of batch) addPending(row, totals);
      throw error;
    }
  }

  async function acquireLease(): Promise<Lease> {
    for (const giveUp = performance.now() + GIVE_UP_AFTER_MS; ; ) {
      const lease = await log.lease(LEASE, holder, LEASE_MS);
      if (lease) return lease;
      if (performance.now() > giveUp) throw new StoreUnavailable('The model’s usage could not be recorded. Try again.');
      await later(RETRY_MS);
    }
  }

  async function of(scope: UsageScope, id = 'all'): Promise<UsageTotals> {
    const row = await log.record(kindOf(scope), id);
    return row === undefined ? NO_USAGE : { ...NO_USAGE, ...JSON.parse(row) };
  }

  async function totalsByScope<T extends object>(
    scope: UsageScope,
    parseKey: (key: string) => T,
  ): Promise<(T & UsageTotals)[]> {
    const rows = await log.records(kindOf(scope));
    return rows.map(({ key, value }) => ({ ...parseKey(key), ...NO_USAGE, ...(JSON.parse(value) as UsageTotals) }));
  }

  async function report(): Promise<Omit<WireUsage, 'budgets' | 'currency'>> {
    const [total, models, threads, days] = await Promise.all([
      of('workspace'),
      totalsByScope('model', (model) => ({ model })),
      totalsByScope('thread', (thread) => ({ thread })),
      totalsByScope('day', (key) => ({ day: key.slice(0, 10), model: key.slice(11) })),
    ]);
    return { total, models, threads, days };
  }

  return { add, flush, of, report };
}

export type UsageStore = ReturnType<typeof createUsageStore>;

export function tokensOf({ promptTokens, generatedTokens }: UsageTotals): number {
  return promptTokens + generatedTokens;
}

export function addTotals(a: UsageTotals, b: UsageTotals): UsageTotals {
  return {
    calls: a.calls + b.calls,
    failures: a.failures + b.failures,
    promptTokens: a.promptTokens + b.promptTokens,
    generatedTokens: a.generatedTokens + b.generatedTokens,
    // Rounded to a billionth, so that rounding errors do not add up.
    cost: Math.round((a.cost + b.cost) * 1e9) / 1e9,
  };
}

function kindOf(scope: UsageScope): string {
  return `${USAGE}.${scope}`;
}
