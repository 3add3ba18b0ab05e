import { isCanonical } from '../../core/events/canonical.ts';
import type { Event } from '../../core/events/event.ts';
import { ThreadCreated } from '../../core/threads/events.ts';
import type { SealedEvent } from '../../log/event-log.ts';
import { GENESIS, linkHash, sha256 } from '../../log/seal.ts';

export interface ChainHead {
  readonly seq: number;
  readonly hash: string;
}

/** Where and how verification fails: at an event, or in the data stored about a thread apart from its events. */
export interface ProofFailure {
  readonly thread: string;
  readonly seq?: number;
  readonly id?: string;
  readonly why: string;
}

export type ChainLink = { readonly event: Event } | { readonly broken: ProofFailure };

export type FindHash = (thread: string, seq: number) => Promise<string | undefined>;

/**
 * Follows the threads of a log event by event and verifies each link (L5). `hashAt` looks up the event a fork starts
 * after when it is not the newest one followed.
 */
export function createChain(hashAt: FindHash) {
  const heads = new Map<string, ChainHead>();

  async function follow(row: SealedEvent, parsed: unknown = parseBody(row.body)): Promise<ChainLink> {
    if (!isEvent(parsed)) return failedLink(row, 'lacks a part every event has');
    const event = parsed;
    if (!isCanonical(row.body, event)) return failedLink(row, 'is not written as canonical JSON');
    if (event.id !== row.id || event.thread !== row.thread || event.seq !== row.seq) {
      return failedLink(row, `stands where its text says event ${event.seq} of thread ${event.thread} belongs`);
    }
    const previous = heads.get(row.thread) ?? (await startOf(event));
    if (!previous) return failedLink(row, 'begins a fork of an event that is not there');
    if (row.seq !== previous.seq + 1) return failedLink(row, gapReason(previous.seq, row.seq));
    if (linkHash(previous.hash, row.body) !== row.hash) {
      return failedLink(row, 'does not link to the event before it: one of the two was changed');
    }
    heads.set(row.thread, { seq: row.seq, hash: row.hash });
    return { event };
  }

  async function startOf(event: Event): Promise<ChainHead | undefined> {
    const fork = forkPointOf(event);
    if (!fork) return { seq: 0, hash: GENESIS };
    const parent = heads.get(fork.thread);
    const hash = parent?.seq === fork.seq ? parent.hash : await hashAt(fork.thread, fork.seq);
    return hash === undefined ? undefined : { seq: fork.seq, hash };
  }

  return { heads, follow };
}

/** The event of another thread that this event's thread starts after, if this is the first event of a fork (L13). */
export function forkPointOf(event: Event): { readonly thread: string; readonly seq: number } | undefined {
  // The event may come from a file that has not been checked yet.
  const forkPoint = ThreadCreated.read(event)?.content?.forked_from;
  if (typeof forkPoint?.thread !== 'string' || typeof forkPoint.seq !== 'number') return undefined;
  return { thread: forkPoint.thread, seq: forkPoint.seq };
}

/** One hash over all threads of a workspace; it changes when any thread changes. */
export function workspaceHash(heads: ReadonlyMap<string, ChainHead>): string {
  const lines = [...heads].map(([thread, { seq, hash }]) => `${thread} ${seq} ${hash}\n`);
  return sha256(lines.sort().join(''));
}

function parseBody(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

function isEvent(value: unknown): value is Event {
  if (typeof value !== 'object' || value === null) return false;
  const { id, ts, thread, seq, type, from, to, content, meta, v } = value as Partial<Event>;
  const hasTexts = [id, ts, thread, type, from].every((part) => typeof part === 'string' && part !== '');
  const hasRecipients = typeof to === 'string' || Array.isArray(to);
  return (
    hasTexts &&
    hasRecipients &&
    isCount(seq) &&
    isCount(v) &&
    content !== undefined &&
    typeof meta === 'object' &&
    meta !== null
  );
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) > 0;
}

function gapReason(previousSeq: number, actualSeq: number): string {
  if (actualSeq <= previousSeq) return `comes after event ${previousSeq}: there are two of it`;
  const missingCount = actualSeq - previousSeq - 1;
  return missingCount === 1
    ? `comes after event ${previousSeq}: event ${previousSeq + 1} is missing`
    : `comes after event ${previousSeq}: ${missingCount} events are missing`;
}

function failedLink(row: SealedEvent, why: string): { readonly broken: ProofFailure } {
  return { broken: failureAt(row, why) };
}

export function failureAt({ thread, seq, id }: Pick<SealedEvent, 'thread' | 'seq' | 'id'>, why: string): ProofFailure {
  return { thread, seq, id, why };
}

export function describeFailure({ thread, seq, id, why }: ProofFailure): string {
  return seq === undefined ? `Thread ${thread} ${why}.` : `Event ${seq} of thread ${thread} (${id}) ${why}.`;
}
