import type { Domain, Effect } from '../core/decider.ts';
import { isRefusal } from '../core/refusal.ts';
import { readImportedRanges } from '../formats/import/imported-ranges.ts';
import {
  type EventLog,
  eventOf,
  eventTypeOf,
  type Lease,
  type RecordWrite,
  type StoredEvent,
} from '../log/event-log.ts';
import { realTime, type Time } from '../models/resilience/time.ts';
import type { CommandResult, Submission } from './handle.ts';
import { type HeldLease, runWhileHolding } from './lease.ts';
import type { States } from './states.ts';
import type { Tail } from './tail.ts';

const CHECKPOINT = 'checkpoint';
const SAVE_EVERY = 1000;
const RETRY_MS = 1_000;

export interface RunnerParts<State, Command> {
  readonly log: EventLog;
  readonly domain: Domain<State, Command>;
  readonly states: States<State>;
  readonly tail: Tail;
  readonly holder: string;
  handle(submission: Omit<Submission<Command>, 'digest'>): Promise<CommandResult<State>>;
  readonly time?: Time;
}

/**
 * Runs reactions: follows the log from a stored checkpoint, asks the domain what follows from each event and does it.
 * An effect may be tried twice, but its key is its command id, so it happens once (L7).
 */
export function createRunner<State, Command>(name: string, parts: RunnerParts<State, Command>) {
  const { log, domain, states, tail, holder, handle, time = realTime } = parts;
  const stop = new AbortController();
  let running: Promise<void> | undefined;
  /** How far reactions have run, and how far the checkpoint has been saved. */
  let position = 0;
  let checkpoint = 0;

  function start() {
    running = runWhileHolding(log, `runner/${name}`, holder, stop.signal, run, time);
  }

  async function run({ lease, signal }: HeldLease) {
    while (!signal.aborted) {
      try {
        checkpoint = Number((await log.record(CHECKPOINT, name)) ?? 0);
        position = checkpoint;
        await follow(lease, signal);
        if (!signal.aborted) return;
        await saveCheckpoint();
      } catch {
        // The store is unavailable or an effect failed: the checkpoint has not moved, so nothing is missed.
        await time.wait(RETRY_MS, signal);
      }
    }
  }

  /** Follows the tail until the lease is lost. Events that lead to nothing are only counted. */
  async function follow(lease: Lease, signal: AbortSignal) {
    for await (const rows of readPages(signal)) {
      for (const row of rows) {
        if (domain.reactsTo.has(eventTypeOf(row)) && !(await reactTo(row, lease))) return;
        position = row.position;
      }
      // Reading an event twice is harmless, so the checkpoint is not saved after every event.
      if (position - checkpoint >= SAVE_EVERY) await saveCheckpoint();
    }
  }

  /** False when another server has taken over. */
  async function reactTo(row: StoredEvent, lease: Lease): Promise<boolean> {
    const event = eventOf(row);
    if (!domain.canReact(event)) return true;
    if (row.seq <= ((await readImportedRanges(log, row.thread))?.upTo ?? 0)) return true;
    const { state } = await states.at(row.thread, row.seq);
    const effects = domain.react(state, event);
    for (const [i, effect] of effects.entries()) {
      const isLast = i === effects.length - 1;
      if (!(await carryOut(effect, lease, isLast ? [checkpointRecord(row.position)] : []))) return false;
      if (isLast) checkpoint = row.position;
    }
    return true;
  }

  async function carryOut(effect: Effect<Command>, lease: Lease, records: readonly RecordWrite[]): Promise<boolean> {
    const result = await handle({ actor: effect.as, command: effect.command, id: effect.key, lease, records });
    if (!isRefusal(result)) return true;
    if (result.refusal.code === 'lease_lost') return false;
    if (result.refusal.code === 'store_unavailable' || result.refusal.code === 'no_space') {
      throw new Error(result.refusal.message);
    }
    return true;
  }

  /** The tail as a sequence of pages; history waits while a page is processed. */
  async function* readPages(signal: AbortSignal): AsyncGenerator<readonly StoredEvent[]> {
    const pages: (readonly StoredEvent[])[] = [];
    let failure: unknown;
    let wake = () => {};
    let requestMore = () => {};
    const close = tail.subscribe({
      after: position,
      onEvents(rows) {
        pages.push(rows);
        wake();
      },
      ready: () =>
        new Promise((resolve) => {
          requestMore = resolve;
          if (pages.length === 0) resolve();
        }),
      onError(error) {
        failure = error;
        wake();
      },
    });
    const onAbort = () => wake();
    signal.addEventListener('abort', onAbort);
    try {
      while (!signal.aborted) {
        const page = pages.shift();
        if (page) yield page;
        else if (failure) throw failure;
        else {
          requestMore();
          await new Promise<void>((resolve) => {
            wake = resolve;
            if (signal.aborted || pages.length > 0 || failure) resolve();
          });
        }
      }
    } finally {
      signal.removeEventListener('abort', onAbort);
      close();
    }
  }

  async function saveCheckpoint() {
    if (position === checkpoint) return;
    await log.putRecords([checkpointRecord(position)]);
    checkpoint = position;
  }

  function checkpointRecord(at: number): RecordWrite {
    return { kind: CHECKPOINT, key: name, value: String(at) };
  }

  async function close() {
    stop.abort();
    await running;
  }

  return { start, close };
}
