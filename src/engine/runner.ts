import type { Domain, Effect } from '../core/decider.ts';
import { isRefusal } from '../core/refusal.ts';
import { importedParts } from '../formats/import/imported-ranges.ts';
import { type EventLog, eventOf, type Lease, type RecordWrite, type Stored, typeOf } from '../log/event-log.ts';
import { realTime, type Time } from '../models/resilience/time.ts';
import type { Handled, Submission } from './handle.ts';
import { type Held, whileHolding } from './lease.ts';
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
  handle(submission: Omit<Submission<Command>, 'digest'>): Promise<Handled<State>>;
  readonly time?: Time;
}

/**
 * Carries out reactions: follows the log from a stored checkpoint, asks the
 * domain what follows from each event and does it. An effect may be tried
 * twice, but its key is its command id, so it happens once (L7).
 */
export function createRunner<State, Command>(name: string, parts: RunnerParts<State, Command>) {
  const { log, domain, states, tail, holder, handle, time = realTime } = parts;
  const stop = new AbortController();
  let stopped: Promise<void> | undefined;
  /** How far reactions have been carried out, and how far that is written down. */
  let position = 0;
  let checkpoint = 0;

  function start() {
    stopped = whileHolding(log, `runner/${name}`, holder, stop.signal, run, time);
  }

  async function run({ lease, signal }: Held) {
    while (!signal.aborted) {
      try {
        checkpoint = Number((await log.record(CHECKPOINT, name)) ?? 0);
        position = checkpoint;
        await follow(lease, signal);
        if (!signal.aborted) return;
        await save();
      } catch {
        // The store is away or an effect failed: the checkpoint has not moved, so nothing is missed.
        await time.wait(RETRY_MS, signal);
      }
    }
  }

  /** Follows the tail until the lease is lost. Events that lead to nothing are only counted. */
  async function follow(lease: Lease, signal: AbortSignal) {
    for await (const rows of reading(signal)) {
      for (const row of rows) {
        if (domain.reactsTo.has(typeOf(row)) && !(await reactTo(row, lease))) return;
        position = row.position;
      }
      // Reading an event twice is harmless, so this needs no write of its own for every event.
      if (position - checkpoint >= SAVE_EVERY) await save();
    }
  }

  /** False when another server has taken over. */
  async function reactTo(row: Stored, lease: Lease): Promise<boolean> {
    const event = eventOf(row);
    if (!domain.mayFollow(event)) return true;
    if (row.seq <= ((await importedParts(log, row.thread))?.upTo ?? 0)) return true;
    const { state } = await states.at(row.thread, row.seq);
    const effects = domain.react(state, event);
    for (const [i, effect] of effects.entries()) {
      const last = i === effects.length - 1;
      if (!(await carryOut(effect, lease, last ? [saved(row.position)] : []))) return false;
      if (last) checkpoint = row.position;
    }
    return true;
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

  /** The tail as pages to be taken one after the other; history waits while one is being worked on. */
  async function* reading(signal: AbortSignal): AsyncGenerator<readonly Stored[]> {
    const pages: (readonly Stored[])[] = [];
    let failure: unknown;
    let wake = () => {};
    let taken = () => {};
    const close = tail.subscribe({
      after: position,
      deliver(rows) {
        pages.push(rows);
        wake();
      },
      live() {},
      ready: () =>
        new Promise((resolve) => {
          taken = resolve;
          if (pages.length === 0) resolve();
        }),
      failed(error) {
        failure = error;
        wake();
      },
    });
    const ended = () => wake();
    signal.addEventListener('abort', ended);
    try {
      while (!signal.aborted) {
        const page = pages.shift();
        if (page) yield page;
        else if (failure) throw failure;
        else {
          taken();
          await new Promise<void>((resolve) => {
            wake = resolve;
            if (signal.aborted || pages.length > 0 || failure) resolve();
          });
        }
      }
    } finally {
      signal.removeEventListener('abort', ended);
      close();
    }
  }

  async function save() {
    if (position === checkpoint) return;
    await log.putRecords([saved(position)]);
    checkpoint = position;
  }

  function saved(at: number): RecordWrite {
    return { kind: CHECKPOINT, key: name, value: String(at) };
  }

  async function close() {
    stop.abort();
    await stopped;
  }

  return { start, close };
}
