import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freshPostgres } from '../../../test/support/stores/postgres-url.ts';
import type { AppendEntry, EventLog, LinkedEvent } from '../event-log.ts';
import { openMemoryLog } from '../memory/memory-log.ts';
import { openPostgresLog } from '../postgres/postgres-log.ts';
import { GENESIS } from '../seal.ts';
import { openSqliteLog } from '../sqlite/sqlite-log.ts';
import { numberedEvents } from './support.ts';

const RUNS = Number(process.env.HEDDLE_FUZZ_RUNS ?? 60);
const LONG = 600_000;
const dir = mkdtempSync(join(tmpdir(), 'heddle-agree-'));
let logs: readonly EventLog[] = [];
let run = 0;

beforeAll(async () => {
  logs = [openMemoryLog(), openSqliteLog(join(dir, 'heddle.db')), await openPostgresLog(await freshPostgres())];
});

afterAll(async () => {
  for (const log of logs) await log.close();
  rmSync(dir, { recursive: true, force: true });
});

const mostlyNull = <T>(arbitrary: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 4, arbitrary: fc.constant(null) }, { weight: 1, arbitrary });
const letter = fc.constantFrom('a', 'b', 'c');
const write = fc.record({ kind: fc.constantFrom('k', 'l'), key: letter, value: fc.option(letter) });
const lease = fc.record({ name: letter, off: fc.constantFrom(0, 0, 0, 1, -1) });

const entryShape = fc.record({
  /** Threads written to, how many events each, and how far off the expectation is. */
  threads: fc.array(fc.tuple(letter, fc.nat(2), fc.constantFrom(0, 0, 0, 0, 0, 1, -1)), { minLength: 1, maxLength: 2 }),
  command: fc.option(fc.tuple(fc.constantFrom('ann', 'bob'), fc.nat(5))),
  lease: mostlyNull(lease),
  fork: mostlyNull(fc.nat(6)),
  records: fc.array(write, { maxLength: 3 }),
});

const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.array(entryShape, { maxLength: 5 }).map((entries) => ({ do: 'append' as const, entries })),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('put' as const), rows: fc.array(write, { maxLength: 4 }) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('replace' as const),
      kind: fc.constantFrom('k', 'l'),
      keys: fc.uniqueArray(letter),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('lease' as const),
      name: letter,
      holder: fc.constantFrom('h', 'i'),
      ttl: fc.constantFrom(0, LONG),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('release' as const), name: letter }) },
);

test('[L18] the three stores give the same answers to any sequence of operations', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
      const world = new World(`r${run++}.`);
      for (const one of steps) await world.take(one);
      await world.compareAll();
    }),
    { numRuns: RUNS },
  );
});

/** Three logs that have seen the same; everything a run names begins with its prefix. */
class World {
  readonly prefix: string;
  readonly threads = new Set<string>();
  readonly fences = new Map<string, number>();
  forks = 0;

  constructor(prefix: string) {
    this.prefix = prefix;
  }

  async take(one: typeof step extends fc.Arbitrary<infer T> ? T : never): Promise<void> {
    const name = (text: string) => this.prefix + text;
    const rename = (row: { kind: string; key: string; value: string | null }) => ({ ...row, kind: name(row.kind) });
    if (one.do === 'append') {
      const batch = await this.batchOf(one.entries);
      await askAll((log) => log.append(batch));
    } else if (one.do === 'put') {
      await askAll((log) => log.putRecords(one.rows.map(rename)));
    } else if (one.do === 'replace') {
      await askAll((log) =>
        log.replaceRecords(
          name(one.kind),
          one.keys.map((key) => ({ key, value: 'new' })),
        ),
      );
    } else if (one.do === 'lease') {
      const taken = await askAll((log) => log.lease(name(one.name), one.holder, one.ttl));
      if (taken) this.fences.set(one.name, taken.fence);
    } else {
      const fence = this.fences.get(one.name) ?? 1;
      await askAll((log) => log.release({ name: name(one.name), holder: 'h', fence }));
    }
  }

  /** Entries expect what they would find if all before them were stored; some are off by one. */
  async batchOf(
    entries: readonly (typeof entryShape extends fc.Arbitrary<infer T> ? T : never)[],
  ): Promise<AppendEntry[]> {
    const heads = new Map<string, number>();
    const batch: AppendEntry[] = [];
    for (const shape of entries) {
      const expected: { thread: string; seq: number }[] = [];
      const events: LinkedEvent[] = [];
      const forks: { thread: string; parent: string; seq: number }[] = [];
      for (const [letterOf, count, off] of shape.threads) {
        const thread = this.prefix + letterOf;
        if (expected.some((one) => one.thread === thread)) continue;
        this.threads.add(thread);
        const head = heads.get(thread) ?? (await ownHead(thread));
        const after = Math.max(0, head + off);
        expected.push({ thread, seq: after });
        events.push(...numberedEvents(thread, count, { after }));
        heads.set(thread, after + count);
      }
      if (shape.fork !== null) {
        const thread = `${this.prefix}f${this.forks++}`;
        const candidates = [...this.threads];
        const parent = candidates[shape.fork % candidates.length] as string;
        this.threads.add(thread);
        const { seq, previous } = await this.pointOf(parent, shape.fork, heads.get(parent));
        expected.push({ thread, seq: 0 });
        events.push(...numberedEvents(thread, 1, { after: seq, previous }));
        forks.push({ thread, parent, seq });
      }
      batch.push({
        expected,
        events,
        forks,
        records: shape.records.map((row) => ({ ...row, kind: this.prefix + row.kind })),
        ...(shape.command && {
          command: { participant: shape.command[0], id: `${this.prefix}${shape.command[1]}`, digest: 'd' },
        }),
        ...(shape.lease && {
          lease: {
            name: this.prefix + shape.lease.name,
            fence: (this.fences.get(shape.lease.name) ?? 1) + shape.lease.off,
          },
        }),
      });
    }
    return batch;
  }

  /** Where a fork begins: an event that is stored, or the one the batch will have stored last; sometimes none. */
  async pointOf(parent: string, wish: number, head: number | undefined) {
    if (head && wish % 2 === 0) return { seq: head, previous: numberedEvents(parent, 1, { after: head })[0]!.previous };
    const seq = Math.min(wish, (await logs[0]?.lastOf(parent))?.seq ?? 0);
    return { seq, previous: (await logs[0]?.lastOf(parent, seq))?.hash ?? GENESIS };
  }

  async compareAll(): Promise<void> {
    const from = Math.max(0, (await askAll((log) => log.head())) - 50);
    await askAll((log) => log.readAll(from, 100));
    await askAll(async (log) => (await log.orderMarks(from, 100))?.at(-1));
    for (const kind of ['k', 'l']) await askAll((log) => log.records(this.prefix + kind));
    const keys = ['ann', 'bob'].flatMap((participant) =>
      [0, 1, 2, 3, 4, 5].map((id) => ({ participant, id: `${this.prefix}${id}` })),
    );
    await askAll((log) => log.appliedCommands(keys));
    for (const thread of this.threads) {
      for (const after of [0, 1, 3]) await askAll((log) => log.readThread(thread, after, 3));
      for (const seq of [1, 3, undefined]) await askAll((log) => log.lastOf(thread, seq));
    }
  }
}

/** Does the same on every log, expects the same answer, and gives it. */
async function askAll<T>(ask: (log: EventLog) => Promise<T>): Promise<T> {
  const [memory, ...others] = await Promise.all(logs.map((log) => ask(log).catch(() => 'threw')));
  for (const other of others) expect(other).toEqual(memory);
  return memory as T;
}

async function ownHead(thread: string): Promise<number> {
  const last = await logs[0]?.lastOf(thread);
  return last?.thread === thread ? last.seq : 0;
}
