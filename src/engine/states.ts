import type { Fold } from '../core/decider.ts';
import type { Event } from '../core/events/event.ts';
import { type EventLog, eventOf, type StoredEvent } from '../log/event-log.ts';
import { GENESIS } from '../log/seal.ts';
import { createSlices, waitInLine } from './slices.ts';

/** A thread's state after event `seq`. */
export interface LoadedState<State> {
  readonly state: State;
  readonly seq: number;
  readonly hash: string;
}

const PAGE = 1000;
const FIRST_PAGE = 16;
/** Target size of a page, because events may be large. */
const PAGE_BYTES = 1024 * 1024;
const SNAPSHOT_EVERY = 1000;
const MAX_CACHED_THREADS = 2000;

/**
 * Committed states, folded from the log and kept in memory. The fold starts at a snapshot if there is one; without
 * snapshots the result is the same, only slower (L14).
 */
export function createStates<State>(log: EventLog, fold: Fold<State>) {
  const cache = new Map<string, LoadedState<State>>();
  /** Threads being loaded, and the newest seq observed from other writers meanwhile. */
  const loading = new Map<string, { readonly ended: Promise<LoadedState<State> | undefined>; heardSeq: number }>();

  /** The thread's committed state; undefined when there is no such thread. */
  async function load(thread: string): Promise<LoadedState<State> | undefined> {
    // The cache is valid only while the log still stands (L26).
    log.mustStand();
    const cached = cache.get(thread);
    if (cached) {
      cache.delete(thread);
      cache.set(thread, cached);
      return cached;
    }
    const pendingLoad = loading.get(thread);
    if (pendingLoad) return pendingLoad.ended;
    const ended = loadFromLog(thread).finally(() => loading.delete(thread));
    loading.set(thread, { ended, heardSeq: 0 });
    return ended;
  }

  async function loadFromLog(thread: string): Promise<LoadedState<State> | undefined> {
    const start = await loadSnapshot(thread);
    let loaded = await foldFrom(thread, start ?? empty(thread));
    // Events observed during the load may be missing from it, and will not be observed again.
    while (loaded.seq < (loading.get(thread)?.heardSeq ?? 0)) loaded = await foldFrom(thread, loaded);
    if (loaded.seq === 0) return undefined;
    const readCount = loaded.seq - (start?.seq ?? 0);
    loaded = cacheState(thread, loaded);
    if (readCount >= SNAPSHOT_EVERY) await saveSnapshot(thread, loaded);
    return loaded;
  }

  function peek(thread: string): LoadedState<State> | undefined {
    return cache.get(thread);
  }

  /** The thread's state after event `seq`: the start of a fork. */
  async function at(thread: string, seq: number): Promise<LoadedState<State>> {
    const current = await load(thread);
    if (current?.seq === seq) return current;
    const start = await loadSnapshot(thread);
    return foldFrom(thread, start && start.seq <= seq ? start : empty(thread), seq);
  }

  /** Reads what other processes appended; true when there was something. */
  async function refresh(thread: string): Promise<boolean> {
    const before = cache.get(thread);
    if (!before) return false;
    try {
      const after = await foldFrom(thread, before);
      if (after.seq === before.seq) return false;
      cacheState(thread, after);
    } catch {
      // Unknown does not mean unchanged: the next load reads it again, or reports why it cannot.
      cache.delete(thread);
    }
    return true;
  }

  async function foldFrom(thread: string, from: LoadedState<State>, upTo = Number.MAX_SAFE_INTEGER) {
    const slices = createSlices(waitInLine);
    let loaded = from;
    for (let limit = FIRST_PAGE; ; ) {
      const rows = await log.readThread(thread, loaded.seq, Math.min(limit, upTo - loaded.seq));
      for (const row of rows) {
        loaded = step(loaded, row);
        if (slices.isOver()) await slices.next();
      }
      if (rows.length < limit || loaded.seq === upTo) return loaded;
      limit = nextPageSize(rows);
    }
  }

  function step(loaded: LoadedState<State>, row: StoredEvent, event: Event = eventOf(row)): LoadedState<State> {
    return { state: fold.evolve(loaded.state, event), seq: row.seq, hash: row.hash };
  }

  /** Applies events committed elsewhere, in order; threads that are not in memory are skipped. */
  function observe(rows: readonly StoredEvent[]) {
    for (const row of rows) {
      const cached = cache.get(row.thread);
      const pendingLoad = loading.get(row.thread);
      if (pendingLoad) pendingLoad.heardSeq = Math.max(pendingLoad.heardSeq, row.seq);
      if (!cached || row.seq <= cached.seq) continue;
      if (row.seq === cached.seq + 1) cache.set(row.thread, step(cached, row));
      else cache.delete(row.thread);
    }
  }

  async function loadSnapshot(thread: string): Promise<LoadedState<State> | undefined> {
    const stored = await log.snapshot(thread);
    if (stored?.version !== fold.version) return undefined;
    const last = await log.lastOf(thread, stored.seq);
    if (last?.seq !== stored.seq) return undefined;
    const state = parseState(stored.body);
    return state === undefined ? undefined : { state, seq: stored.seq, hash: last.hash };
  }

  function parseState(body: string): State | undefined {
    try {
      return JSON.parse(body);
    } catch {
      // A damaged snapshot does no harm: the log has everything.
      return undefined;
    }
  }

  async function saveSnapshot(thread: string, { state, seq }: LoadedState<State>) {
    if (fold.shouldSnapshot?.(state) === false) return;
    try {
      await log.saveSnapshot({ thread, seq, version: fold.version, body: JSON.stringify(state) });
    } catch {
      // A snapshot only saves time later: a full disk, or a state too large for one string, must not undo a commit.
    }
  }

  /** Caches a committed state; `before` is its previous seq, which tells when a snapshot is due. */
  async function install(thread: string, loaded: LoadedState<State>, before: number) {
    cacheState(thread, loaded);
    const isDue = Math.floor(before / SNAPSHOT_EVERY) < Math.floor(loaded.seq / SNAPSHOT_EVERY);
    if (isDue) await saveSnapshot(thread, loaded);
  }

  /** Caches a state unless a newer one is known; returns the newer one. */
  function cacheState(thread: string, loaded: LoadedState<State>): LoadedState<State> {
    const cached = cache.get(thread);
    const newer = cached && cached.seq > loaded.seq ? cached : loaded;
    cache.delete(thread);
    cache.set(thread, newer);
    if (cache.size > MAX_CACHED_THREADS) cache.delete(cache.keys().next().value as string);
    return newer;
  }

  function empty(thread: string): LoadedState<State> {
    return { state: fold.initial(thread), seq: 0, hash: GENESIS };
  }

  return { load, peek, at, refresh, observe, install, empty, step };
}

export type States<State> = ReturnType<typeof createStates<State>>;

function nextPageSize(rows: readonly StoredEvent[]): number {
  const bytes = rows.reduce((sum, { body }) => sum + body.length, 0);
  return Math.max(1, Math.min(PAGE, rows.length * 8, Math.floor((PAGE_BYTES * rows.length) / bytes)));
}
