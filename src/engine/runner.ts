import type { Domain, Effect } from '../core/decider.ts';
import { isRefusal } from '../core/refusal.ts';
import { type EventLog, eventOf, type Lease, type RecordWrite, type Stored } from '../log/event-log.ts';
import { IMPORTED } from '../log/record-kinds.ts';
import type { Handled, Submission } from './handle.ts';
import { type Held, pause, whileHolding } from './lease.ts';
import type { Loaded, States } from './states.ts';
import type { Tail } from './tail.ts';

const PAGE = 256;
const CHECKPOINT = 'checkpoint';
const SAVE_EVERY = 1000;
const FOLLOWED = 2000;
const RETRY_MS = 1_000;
const POLL_MS = 15_000;

export interface RunnerParts<State, Command> {
  readonly log: EventLog;
  readonly domain: Domain<State, Command>;
  readonly states: States<State>;
  readonly tail: Tail;
  readonly holder: string;
  handle(submission: Omit<Submission<Command>, 'digest'>): Promise<Handled<State>>;
}

/**
 * Carries out reactions: reads the log from a stored checkpoint, asks the domain
 * what follows from each event and does it. An effect may be tried twice, but its
 * key is its command id, so it happens once (L7).
 */
export function createRunner<State, Command>(name: string, parts: RunnerParts<State, Command>) {
  const { log, domain, states, tail, holder, handle } = parts;
  const stop = new AbortController();
  const followed = new Map<string, Loaded<State>>();
  let stopped: Promise<void> | undefined;
  let position: number | undefined;
  let checkpoint = 0;

  function start() {
    stopped = whileHolding(log, `runner/${name}`, holder, stop.signal, run);
  }

  async function run({ lease, signal }: Held) {
    // Another server may have held the lease since: its checkpoint is the one that counts.
    position = undefined;
    followed.clear();
    while (!signal.aborted) {
      try {
        const woken = tail.changed(undefined, POLL_MS, signal);
        await work(lease, signal);
        await woken;
      } catch {
        position = undefined;
        // The store is away or an effect failed: the checkpoint has not moved, so nothing is missed.
        await pause(RETRY_MS, signal);
      }
    }
  }

  async function work(lease: Lease, signal: AbortSignal) {
    const imported = new Map((await log.records(IMPORTED)).map((row) => [row.key, Number(row.value)]));
    position ??= Number((await log.record(CHECKPOINT, name)) ?? 0);
    while (!signal.aborted) {
      const rows = await log.readAll(position, PAGE);
      if (rows.length === 0) return;
      for (const row of rows) {
        const inherited = row.seq <= (imported.get(row.thread) ?? 0);
        const effects = inherited ? [] : domain.react((await stateAfter(row)).state, eventOf(row));
        for (const [i, effect] of effects.entries()) {
          const last = i === effects.length - 1;
          if (signal.aborted || !(await carryOut(effect, lease, last ? [saved(row.position)] : []))) return;
        }
        position = row.position;
        if (effects.length > 0) checkpoint = position;
      }
      if (position - checkpoint >= SAVE_EVERY) await save();
    }
  }

  /** Reading an event twice is harmless, so events that lead to nothing cost no write of their own. */
  async function save() {
    if (position === undefined || position === checkpoint) return;
    await log.putRecords([saved(position)]);
    checkpoint = position;
  }

  function saved(at: number): RecordWrite {
    return { kind: CHECKPOINT, key: name, value: String(at) };
  }

  /** The thread as it was when this event had just happened, whatever has happened since. */
  async function stateAfter(row: Stored): Promise<Loaded<State>> {
    const before = followed.get(row.thread);
    const after = before?.seq === row.seq - 1 ? states.step(before, row) : await states.at(row.thread, row.seq);
    followed.delete(row.thread);
    followed.set(row.thread, after);
    if (followed.size > FOLLOWED) followed.delete(followed.keys().next().value as string);
    return after;
  }

  async function carryOut(effect: Effect<Command>, lease: Lease, records: readonly RecordWrite[]): Promise<boolean> {
    const handled = await handle({ actor: effect.as, command: effect.command, id: effect.key, lease, records });
    if (!isRefusal(handled)) return true;
    if (handled.refusal.code === 'lease_lost') return false;
    if (handled.refusal.code === 'store_unavailable' || handled.refusal.code === 'no_space') {
      throw new Error(handled.refusal.message);
    }
    return true;
  }

  async function close() {
    stop.abort();
    await stopped;
    await save();
  }

  return { start, close };
}
