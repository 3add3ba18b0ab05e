import type { Event } from '../core/events/event.ts';
import type { SearchIndex } from './search/search-index.ts';

/**
 * The port to a workspace's log. It has whole operations only: a store's transaction may be synchronous (SQLite) or
 * not (PostgreSQL), so no method takes a callback that runs inside one. `contract/contract.ts` specifies what every
 * implementation does.
 */
export interface EventLog {
  /**
   * Commits as much of a batch as it can in one transaction; each entry is stored whole or not at all. Each entry was
   * decided on top of those before it: if one is not stored, later entries that expect one of its threads are
   * conflicts too, whatever their seq.
   */
  append(batch: readonly AppendEntry[]): Promise<readonly AppendOutcome[]>;

  /** Events of the whole workspace after a position, in commit order. */
  readAll(after: number, limit: number): Promise<readonly StoredEvent[]>;
  /** Events of one thread after a seq, its ancestors' part included (L13). */
  readThread(thread: string, after: number, limit: number): Promise<readonly StoredEvent[]>;
  /** The newest event a thread can see at or before `seq`, or its head. */
  lastOf(thread: string, seq?: number): Promise<StoredEvent | undefined>;
  byId(event: string): Promise<StoredEvent | undefined>;
  /** The events at these positions, in log order; missing ones are left out. */
  readAt(positions: readonly number[]): Promise<readonly StoredEvent[]>;
  /** Position of the newest event, 0 when there is none. */
  head(): Promise<number>;
  /**
   * The order marks after a position, in order; each commit leaves one (L24). Undefined if an earlier version wrote
   * the log and this one may only read it.
   */
  orderMarks(after: number, limit: number): Promise<readonly OrderMark[] | undefined>;

  /** All stored forks; used to verify the log. */
  forks(): Promise<readonly Fork[]>;

  /** The results of commands already applied, in the order of `keys`. */
  appliedCommands(keys: readonly AppendCommandKey[]): Promise<readonly (AppliedCommand | undefined)[]>;

  /** Small values stored apart from the events: derived rows, checkpoints, credentials. */
  records(kind: string): Promise<readonly RecordRow[]>;
  record(kind: string, key: string): Promise<string | undefined>;
  putRecords(rows: readonly RecordWrite[]): Promise<void>;
  /** Replaces all rows of a kind with exactly these rows. */
  replaceRecords(kind: string, rows: readonly RecordRow[]): Promise<void>;

  snapshot(thread: string): Promise<Snapshot | undefined>;
  saveSnapshot(snapshot: Snapshot): Promise<void>;
  dropSnapshots(): Promise<void>;

  /**
   * Takes or renews a lease; undefined while another holder's lease is running. A lease that would run longer than
   * both 10 seconds and `ttlMs` was taken before the clock was set back, and is void (L26).
   */
  lease(name: string, holder: string, ttlMs: number): Promise<Lease | undefined>;
  release(lease: Lease): Promise<void>;

  /** Stores all blobs in one transaction; the first one stored under a hash stays. */
  putBlobs(blobs: readonly StoredBlob[]): Promise<void>;
  blob(hash: string): Promise<StoredBlob | undefined>;

  /** Sends a message to every process on this log; it is not stored (L4). */
  announce(text: string): Promise<void>;
  /** Reports appends and announcements made by other processes. */
  listen(listener: LogListener): () => void;

  /** Throws while the log is known to have lost its file (L26); for callers that answer from memory. */
  mustStand(): void;

  /** The word index of the workspace; derived from the log, and not updated by `append`. */
  readonly search: SearchIndex;

  /** Counts since opening; exact, for /metrics and the bench. */
  readonly counts: LogCounts;
  close(): Promise<void>;
}

/** One command's events, for one thread or several. */
export interface AppendEntry {
  readonly command?: AppendCommandKey & { readonly digest: string };
  /** The seq that each thread's own last event must have; 0 means the thread must have none. */
  readonly expected: readonly { readonly thread: string; readonly seq: number }[];
  readonly events: readonly LinkedEvent[];
  readonly forks?: readonly Fork[];
  readonly records?: readonly RecordWrite[];
  /** Refused unless this lease is still the newest (L19). */
  readonly lease?: Pick<Lease, 'name' | 'fence'>;
}

export type AppendOutcome =
  | { readonly status: 'committed'; readonly position: number }
  | { readonly status: 'conflict'; readonly thread: string }
  | { readonly status: 'repeated'; readonly earlier: AppliedCommand }
  | { readonly status: 'fenced' };

/** An event as the text that was hashed, and its hash (L5). */
export interface SealedEvent {
  readonly id: string;
  readonly thread: string;
  readonly seq: number;
  readonly hash: string;
  readonly body: string;
}

/** A sealed event with the hash it links to, so that the append can check it (L22). */
export interface LinkedEvent extends SealedEvent {
  /** The hash of the previous event in its thread, or of the event its fork starts after. */
  readonly previous: string;
}

export interface StoredEvent extends SealedEvent {
  /** Order across the workspace: gapless, in commit order, starting at 1. */
  readonly position: number;
  /** Whether the event was imported (L25); set by a log that marks such events, not stored. */
  readonly imported?: true;
}

export interface Fork {
  readonly thread: string;
  readonly parent: string;
  readonly seq: number;
}

export interface AppendCommandKey {
  readonly participant: string;
  readonly id: string;
}

export interface AppliedCommand {
  readonly digest: string;
  /** The command's events: `count` of them, starting at `position`. */
  readonly position: number;
  readonly count: number;
}

export interface RecordRow {
  readonly key: string;
  readonly value: string;
}

export interface RecordWrite {
  readonly kind: string;
  readonly key: string;
  /** null removes the row. */
  readonly value: string | null;
}

export interface Snapshot {
  readonly thread: string;
  readonly seq: number;
  readonly version: number;
  readonly body: string;
}

export interface Lease {
  readonly name: string;
  readonly holder: string;
  /** Grows with every change of holder. */
  readonly fence: number;
}

export interface StoredBlob {
  readonly hash: string;
  readonly size: number;
  /** Compressed bytes. */
  readonly body: Uint8Array;
}

export interface LogListener {
  onAppend(): void;
  onAnnouncement(text: string): void;
}

export interface LogCounts {
  commits: number;
  events: number;
  syncs: number;
}

/** The state of the chain over the whole workspace at the end of a commit (L24). */
export interface OrderMark {
  readonly position: number;
  readonly hash: string;
}

/** An event does not continue the stored chain. This is a bug in the program; nothing of its batch is stored (L22). */
export class BrokenLink extends Error {
  constructor({ thread, seq }: Pick<SealedEvent, 'thread' | 'seq'>) {
    super(`Event ${seq} does not continue the stored thread ${thread}. None of it was stored.`);
  }
}

/** The disk is full: reads still work, and writing resumes when there is room (L16). */
export class NoSpace extends Error {}
/** The store cannot be reached or cannot be used; the message says what to do. */
export class StoreUnavailable extends Error {}

/** True if the store is full or cannot be reached, which passes. */
export function isStoreAway(error: unknown): boolean {
  return error instanceof StoreUnavailable || error instanceof NoSpace;
}

type MarkedEvent = SealedEvent & Pick<StoredEvent, 'imported'>;

export function eventOf(storedEvent: MarkedEvent): Event {
  const event: Event = { ...JSON.parse(storedEvent.body), hash: storedEvent.hash };
  return storedEvent.imported ? { ...event, imported: true } : event;
}

/** The event in wire format: the stored text with its hash inserted, never re-encoded. */
export function wireTextOf(storedEvent: MarkedEvent): string {
  const line = exportLineOf(storedEvent);
  return storedEvent.imported ? `${line.slice(0, -1)},"imported":true}` : line;
}

/** The event as a line of an export, without what only this workspace knows about it. */
export function exportLineOf(storedEvent: SealedEvent): string {
  return `${storedEvent.body.slice(0, -1)},"hash":"${storedEvent.hash}"}`;
}

const TYPE_SUFFIX = /"type":"([a-z0-9_.]+)","v":\d+\}$/;

/** Canonical text has its keys in order: the type comes near the end, before the version, so no parsing is needed. */
export function eventTypeOf({ body }: Pick<SealedEvent, 'body'>): string {
  return TYPE_SUFFIX.exec(body.slice(-100))?.[1] ?? (JSON.parse(body) as { type: string }).type;
}

/** The event with this id, if it can be seen in the thread: it is its own, or inherited from one it was forked from. */
export async function findVisibleEvent(
  log: Pick<EventLog, 'byId' | 'lastOf'>,
  thread: string,
  id: string,
): Promise<StoredEvent | undefined> {
  const row = await log.byId(id);
  const visibleRow = row && (row.thread === thread ? row : await log.lastOf(thread, row.seq));
  return visibleRow?.id === row?.id ? row : undefined;
}
