import { randomUUID } from 'node:crypto';
import { setTimeout as later } from 'node:timers/promises';
import { type EventLog, type Lease, StoreUnavailable } from '../../log/event-log.ts';
import { USAGE } from '../../log/record-kinds.ts';

/*
 * What models have used, added up as it happens in one row for the workspace, each model, thread, run and day: a total
 * is one look-up, after a restart too. Rows and not events, because a call may belong to no thread, and because one that
 * failed has its price and leaves nothing else behind. Several servers may write to one log, so adding to a row is done
 * under a lease.
 */
export interface Used {
  readonly calls: number;
  readonly failures: number;
  readonly promptTokens: number;
  readonly generatedTokens: number;
  readonly cost: number;
}

/** What one call used, and whose it was. */
export interface Use extends Used {
  readonly model: string;
  readonly thread?: string | undefined;
  /** The thread that an agent made this one from: it pays as well. */
  readonly payer?: string | undefined;
  readonly run?: string | undefined;
}

export type Scope = 'workspace' | 'model' | 'thread' | 'run' | 'day';

export interface UsageReport {
  readonly total: Used;
  readonly models: readonly ({ readonly model: string } & Used)[];
  readonly threads: readonly ({ readonly thread: string } & Used)[];
  readonly days: readonly ({ readonly day: string; readonly model: string } & Used)[];
}

export const NOTHING_USED: Used = { calls: 0, failures: 0, promptTokens: 0, generatedTokens: 0, cost: 0 };

const LEASE = 'usage';
const LEASE_MS = 5_000;
const ASK_AGAIN_MS = 20;
const GIVE_UP_AFTER_MS = 15_000;

export function createUsage(log: EventLog, now: () => number = Date.now) {
  const holder = randomUUID();
  let waiting = new Map<string, Used>();
  let writing: Promise<void> = Promise.resolve();

  /** Resolves when it is stored. What is added meanwhile shares one write. */
  function add(use: Use): Promise<void> {
    const day = new Date(now()).toISOString().slice(0, 10);
    const rows: readonly (readonly [Scope, string | undefined])[] = [
      ['workspace', 'all'],
      ['model', use.model],
      ['thread', use.thread],
      ['thread', use.payer],
      ['run', use.run],
      ['day', `${day}/${use.model}`],
    ];
    for (const [scope, id] of rows) if (id !== undefined) put(`${scope} ${id}`, use);
    return flush();
  }

  /** Writes what was added and could not be written yet. */
  function flush(): Promise<void> {
    const stored = writing.then(write);
    writing = stored.catch(() => {});
    return stored;
  }

  function put(row: string, used: Used) {
    waiting.set(row, sum(waiting.get(row) ?? NOTHING_USED, used));
  }

  async function write(): Promise<void> {
    if (waiting.size === 0) return;
    const taken = waiting;
    waiting = new Map();
    try {
      const lease = await takeLease();
      try {
        const rows = [...taken].map(async ([row, used]) => {
          const [scope, id] = row.split(' ', 2) as [Scope, string];
          return { kind: kindOf(scope), key: id, value: JSON.stringify(sum(await of(scope, id), used)) };
        });
        await log.putRecords(await Promise.all(rows));
      } finally {
        // What was written stays written: a lease that cannot be let go runs out.
        await log.release(lease).catch(() => {});
      }
    } catch (error) {
      for (const [row, used] of taken) put(row, used);
      throw error;
    }
  }

  async function takeLease(): Promise<Lease> {
    for (const giveUp = performance.now() + GIVE_UP_AFTER_MS; ; ) {
      const lease = await log.lease(LEASE, holder, LEASE_MS);
      if (lease) return lease;
      if (performance.now() > giveUp) throw new StoreUnavailable('What a model used could not be noted. Try again.');
      await later(ASK_AGAIN_MS);
    }
  }

  async function of(scope: Scope, id = 'all'): Promise<Used> {
    const row = await log.record(kindOf(scope), id);
    return row === undefined ? NOTHING_USED : { ...NOTHING_USED, ...JSON.parse(row) };
  }

  async function all<T extends object>(scope: Scope, name: (key: string) => T): Promise<(T & Used)[]> {
    const rows = await log.records(kindOf(scope));
    return rows.map(({ key, value }) => ({ ...name(key), ...NOTHING_USED, ...(JSON.parse(value) as Used) }));
  }

  async function report(): Promise<UsageReport> {
    const [total, models, threads, days] = await Promise.all([
      of('workspace'),
      all('model', (model) => ({ model })),
      all('thread', (thread) => ({ thread })),
      all('day', (key) => ({ day: key.slice(0, 10), model: key.slice(11) })),
    ]);
    return { total, models, threads, days };
  }

  return { add, flush, of, report };
}

export type Usage = ReturnType<typeof createUsage>;

export function tokensOf({ promptTokens, generatedTokens }: Used): number {
  return promptTokens + generatedTokens;
}

export function sum(a: Used, b: Used): Used {
  return {
    calls: a.calls + b.calls,
    failures: a.failures + b.failures,
    promptTokens: a.promptTokens + b.promptTokens,
    generatedTokens: a.generatedTokens + b.generatedTokens,
    // To a billionth: thousands of additions leave no trace.
    cost: Math.round((a.cost + b.cost) * 1e9) / 1e9,
  };
}

function kindOf(scope: Scope): string {
  return `${USAGE}.${scope}`;
}
