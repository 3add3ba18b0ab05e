import { isCanonical } from '../../core/events/canonical.ts';
import type { Event } from '../../core/events/event.ts';
import type { Sealed } from '../../log/event-log.ts';
import { GENESIS, linkHash, sha256 } from '../../log/seal.ts';

export interface Head {
  readonly seq: number;
  readonly hash: string;
}

/** Where a proof fails, and how: at an event, or in what is kept of a thread beside its events. */
export interface Broken {
  readonly thread: string;
  readonly seq?: number;
  readonly id?: string;
  readonly why: string;
}

export type Link = { readonly event: Event } | { readonly broken: Broken };

export type HashAt = (thread: string, seq: number) => Promise<string | undefined>;

/**
 * Follows the threads of a log event by event and proves each link (L5).
 * `hashAt` finds the event a fork begins after, when it is not the newest one followed.
 */
export function createChain(hashAt: HashAt) {
  const heads = new Map<string, Head>();

  async function follow(row: Sealed, parsed: unknown = parse(row.body)): Promise<Link> {
    if (!isEvent(parsed)) return broken(row, 'lacks a part every event has');
    const event = parsed;
    if (!isCanonical(row.body, event)) return broken(row, 'is not written as canonical JSON');
    if (event.id !== row.id || event.thread !== row.thread || event.seq !== row.seq) {
      return broken(row, `stands where its text says event ${event.seq} of thread ${event.thread} belongs`);
    }
    const before = heads.get(row.thread) ?? (await beginning(event));
    if (!before) return broken(row, 'begins a fork of an event that is not there');
    if (row.seq !== before.seq + 1) return broken(row, missing(before.seq, row.seq));
    if (linkHash(before.hash, row.body) !== row.hash) {
      return broken(row, 'does not link to the event before it: one of the two was changed');
    }
    heads.set(row.thread, { seq: row.seq, hash: row.hash });
    return { event };
  }

  async function beginning(event: Event): Promise<Head | undefined> {
    const fork = forkedFrom(event);
    if (!fork) return { seq: 0, hash: GENESIS };
    const parent = heads.get(fork.thread);
    const hash = parent?.seq === fork.seq ? parent.hash : await hashAt(fork.thread, fork.seq);
    return hash === undefined ? undefined : { seq: fork.seq, hash };
  }

  return { heads, follow };
}

/** The event of another thread that this one's thread begins after, where it is the first of a fork (L13). */
export function forkedFrom(event: Event): { readonly thread: string; readonly seq: number } | undefined {
  if (event.type !== 'thread.created') return undefined;
  const from = (event.content as { forked_from?: { thread?: unknown; seq?: unknown } } | null)?.forked_from;
  if (typeof from?.thread !== 'string' || typeof from.seq !== 'number') return undefined;
  return { thread: from.thread, seq: from.seq };
}

/** One hash for all threads of a workspace: it changes when any of them does. */
export function workspaceHash(heads: ReadonlyMap<string, Head>): string {
  const lines = [...heads].map(([thread, { seq, hash }]) => `${thread} ${seq} ${hash}\n`);
  return sha256(lines.sort().join(''));
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

function isEvent(value: unknown): value is Event {
  if (typeof value !== 'object' || value === null) return false;
  const { id, ts, thread, seq, type, from, to, content, meta, v } = value as Partial<Event>;
  const texts = [id, ts, thread, type, from].every((part) => typeof part === 'string' && part !== '');
  const recipients = typeof to === 'string' || Array.isArray(to);
  return (
    texts &&
    recipients &&
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

function missing(before: number, found: number): string {
  if (found <= before) return `comes after event ${before}: there are two of it`;
  const gone = found - before - 1;
  return gone === 1
    ? `comes after event ${before}: event ${before + 1} is missing`
    : `comes after event ${before}: ${gone} events are missing`;
}

function broken({ thread, seq, id }: Sealed, why: string): { readonly broken: Broken } {
  return { broken: { thread, seq, id, why } };
}

export function sentenceOf({ thread, seq, id, why }: Broken): string {
  return seq === undefined ? `Thread ${thread} ${why}.` : `Event ${seq} of thread ${thread} (${id}) ${why}.`;
}
