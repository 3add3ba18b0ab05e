import type { Fold } from '../core/decider.ts';
import type { Event } from '../core/events/event.ts';
import { type EventLog, eventOf, type Stored } from '../log/event-log.ts';
import { GENESIS } from '../log/seal.ts';
import { createSlices, turnInLine } from './slices.ts';

/** A thread as it is after its event number `seq`. */
export interface Loaded<State> {
  readonly state: State;
  readonly seq: number;
  readonly hash: string;
}

const PAGE = 1000;
const FIRST_PAGE = 16;
/** Events may be large: a page of them is about as much as is read in a moment. */
const PAGE_BYTES = 1024 * 1024;
const SNAPSHOT_EVERY = 1000;
const KEPT_THREADS = 2000;

/**
 * Committed states, folded from the log and kept in memory. The fold starts at
 * a snapshot where there is one; without snapshots everything is the same, only slower (L14).
 */
export function createStates<State>(log: EventLog, fold: Fold<State>) {
  const kept = new Map<string, Loaded<State>>();
  /** Threads that are being read, and how far others were heard to have written in them meanwhile. */
  const loading = new Map<string, { readonly ended: Promise<Loaded<State> | undefined>; heard: number }>();

  /** The thread's committed state; undefined when there is no such thread. */
  async function load(thread: string): Promise<Loaded<State> | undefined> {
    // What is in memory is true only for as long as the log has it (L26).
    log.mustStand();
    const known = kept.get(thread);
    if (known) {
      kept.delete(thread);
      kept.set(thread, known);
      return known;
    }
    const begun = loading.get(thread);
    if (begun) return begun.ended;
    const ended = fromLog(thread).finally(() => loading.delete(thread));
    loading.set(thread, { ended, heard: 0 });
    return ended;
  }

  async function fromLog(thread: string): Promise<Loaded<State> | undefined> {
    const start = await fromSnapshot(thread);
    let loaded = await follow(thread, start ?? empty(thread));
    // What was heard while this was read may be missing in it, and will not be heard again.
    while (loaded.seq < (loading.get(thread)?.heard ?? 0)) loaded = await follow(thread, loaded);
    if (loaded.seq === 0) return undefined;
    const read = loaded.seq - (start?.seq ?? 0);
    loaded = keep(thread, loaded);
    if (read >= SNAPSHOT_EVERY) await snapshot(thread, loaded);
    return loaded;
  }

  /** The thread's state if it is in memory. */
  function peek(thread: string): Loaded<State> | undefined {
    return kept.get(thread);
  }

  /** The thread as it was after event `seq`: what a fork begins with. */
  async function at(thread: string, seq: number): Promise<Loaded<State>> {
    const now = await load(thread);
    if (now?.seq === seq) return now;
    const saved = await fromSnapshot(thread);
    return follow(thread, saved && saved.seq <= seq ? saved : empty(thread), seq);
  }

  /** Reads what other processes appended; true when there was something. */
  async function refresh(thread: string): Promise<boolean> {
    const before = kept.get(thread);
    if (!before) return false;
    try {
      const after = await follow(thread, before);
      if (after.seq === before.seq) return false;
      keep(thread, after);
    } catch {
      // Unknown is not unchanged: whoever needs it will load it, and hear why it cannot be.
      kept.delete(thread);
    }
    return true;
  }

  async function follow(thread: string, from: Loaded<State>, upTo = Number.MAX_SAFE_INTEGER) {
    const slices = createSlices(turnInLine);
    let loaded = from;
    for (let limit = FIRST_PAGE; ; ) {
      const rows = await log.readThread(thread, loaded.seq, Math.min(limit, upTo - loaded.seq));
      for (const row of rows) {
        loaded = step(loaded, row);
        if (slices.isOver()) await slices.next();
      }
      if (rows.length < limit || loaded.seq === upTo) return loaded;
      limit = nextPage(rows);
    }
  }

  function step(loaded: Loaded<State>, row: Stored, event: Event = eventOf(row)): Loaded<State> {
    return { state: fold.evolve(loaded.state, event), seq: row.seq, hash: row.hash };
  }

  /** Takes in events committed elsewhere, in order; a thread that is not in memory stays out. */
  function observe(rows: readonly Stored[]) {
    for (const row of rows) {
      const known = kept.get(row.thread);
      const begun = loading.get(row.thread);
      if (begun) begun.heard = Math.max(begun.heard, row.seq);
      if (!known || row.seq <= known.seq) continue;
      if (row.seq === known.seq + 1) kept.set(row.thread, step(known, row));
      else kept.delete(row.thread);
    }
  }

  async function fromSnapshot(thread: string): Promise<Loaded<State> | undefined> {
    const saved = await log.snapshot(thread);
    if (saved?.version !== fold.version) return undefined;
    const last = await log.lastOf(thread, saved.seq);
    if (last?.seq !== saved.seq) return undefined;
    const state = parsed(saved.body);
    return state === undefined ? undefined : { state, seq: saved.seq, hash: last.hash };
  }

  function parsed(body: string): State | undefined {
    try {
      return JSON.parse(body);
    } catch {
      // Whatever happened to it, the log has everything.
      return undefined;
    }
  }

  async function snapshot(thread: string, { state, seq }: Loaded<State>) {
    if (fold.worthKeeping?.(state) === false) return;
    try {
      await log.saveSnapshot({ thread, seq, version: fold.version, body: JSON.stringify(state) });
    } catch {
      // It only saves time later: neither a full disk nor a state too large for one text may undo what was committed.
    }
  }

  /** Keeps a committed state; `before` is the seq it had, to see when a snapshot is due. */
  async function install(thread: string, loaded: Loaded<State>, before: number) {
    keep(thread, loaded);
    const due = Math.floor(before / SNAPSHOT_EVERY) < Math.floor(loaded.seq / SNAPSHOT_EVERY);
    if (due) await snapshot(thread, loaded);
  }

  /** Keeps a state, unless a newer one is known already; returns the newer one. */
  function keep(thread: string, loaded: Loaded<State>): Loaded<State> {
    const known = kept.get(thread);
    const newer = known && known.seq > loaded.seq ? known : loaded;
    kept.delete(thread);
    kept.set(thread, newer);
    if (kept.size > KEPT_THREADS) kept.delete(kept.keys().next().value as string);
    return newer;
  }

  function empty(thread: string): Loaded<State> {
    return { state: fold.initial(thread), seq: 0, hash: GENESIS };
  }

  return { load, peek, at, refresh, observe, install, empty, step };
}

export type States<State> = ReturnType<typeof createStates<State>>;

function nextPage(rows: readonly Stored[]): number {
  const bytes = rows.reduce((sum, { body }) => sum + body.length, 0);
  return Math.max(1, Math.min(PAGE, rows.length * 8, Math.floor((PAGE_BYTES * rows.length) / bytes)));
}
