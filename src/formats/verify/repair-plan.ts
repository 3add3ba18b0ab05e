import { canonicalJson } from '../../core/events/canonical.ts';
import { ThreadCreated } from '../../core/threads/events.ts';
import { type EventLog, eventOf, type Fork, type StoredEvent } from '../../log/event-log.ts';
import type { EventRewrite } from '../../log/repair.ts';
import { GENESIS, linkHash } from '../../log/seal.ts';
import { createChain, failureAt, forkPointOf, type ProofFailure } from './chain.ts';

const PAGE = 1000;

/** A fork that an earlier version sealed on another event than it names (L22). */
export interface MovedFork extends Fork {
  /** The event it claims to start after; `seq` is the event it was really based on. */
  readonly said: number;
}

export interface RepairPlan {
  readonly forks: readonly MovedFork[];
  /** How many events get a new hash, by thread: these forks and everything forked from them. */
  readonly threads: ReadonlyMap<string, number>;
  readonly rewrites: readonly EventRewrite[];
  /** Another problem, which repair does not try to guess about. */
  readonly broken?: ProofFailure;
}

/** The hash an event links to, before and after the repair. `body` is the event itself, if that changes too. */
interface RepairLink {
  readonly seq: number;
  readonly old: string;
  readonly hash: string;
  readonly body?: string;
}

/**
 * Finds forks that were decided in the same commit as writes to their parent and sealed on an earlier event than they
 * name. Their seqs stay; they are changed to name the event they link to, and everything after them is hashed again.
 */
export async function planRepair(
  log: EventLog,
  onProgress?: (done: number, total: number) => void,
): Promise<RepairPlan> {
  const forks: MovedFork[] = [];
  const threads = new Map<string, number>();
  const rewrites: EventRewrite[] = [];
  /** Hashes after the repair: the newest of each thread, and every one that changes. */
  const heads = new Map<string, RepairLink>();
  const changedHashes = new Map<string, string>();
  const plan = (broken?: ProofFailure): RepairPlan => ({ forks, threads, rewrites, ...(broken && { broken }) });
  const total = await log.head();

  for (let position = 0; position < total; ) {
    const rows = await log.readAll(position, PAGE);
    if (rows.length === 0) break;
    for (const row of rows) {
      const previous = heads.get(row.thread) ?? (await startOf(row));
      if (previous.seq !== row.seq - 1 || linkHash(previous.old, row.body) !== row.hash)
        return plan(await describeBreak(row));
      const body = previous.body ?? row.body;
      const hash = body === row.body && previous.hash === previous.old ? row.hash : linkHash(previous.hash, body);
      if (hash !== row.hash) {
        rewrites.push({ position: row.position, body, hash });
        changedHashes.set(keyOf(row.thread, row.seq), hash);
        threads.set(row.thread, (threads.get(row.thread) ?? 0) + 1);
      }
      heads.set(row.thread, { seq: row.seq, old: row.hash, hash });
    }
    position += rows.length;
    onProgress?.(position, total);
  }
  return plan();

  async function startOf(row: StoredEvent): Promise<RepairLink> {
    const event = eventOf(row);
    const forkPoint = forkPointOf(event);
    if (!forkPoint) return { seq: 0, old: GENESIS, hash: GENESIS };
    const link = await linkAt(forkPoint.thread, row.seq - 1);
    if (!link || forkPoint.seq === link.seq || linkHash(link.old, row.body) !== row.hash) {
      return link ?? { seq: forkPoint.seq, old: '', hash: '' };
    }
    forks.push({ thread: row.thread, parent: forkPoint.thread, seq: link.seq, said: forkPoint.seq });
    const { hash: _, ...unsealed } = event;
    const content = { ...ThreadCreated.read(event)?.content, forked_from: { thread: forkPoint.thread, seq: link.seq } };
    return { ...link, body: canonicalJson({ ...unsealed, content }) };
  }

  async function linkAt(thread: string, seq: number): Promise<RepairLink | undefined> {
    const row = await log.lastOf(thread, seq);
    if (row?.seq !== seq) return undefined;
    return { seq, old: row.hash, hash: changedHashes.get(keyOf(row.thread, seq)) ?? row.hash };
  }

  /** Returns the failure that verify reports, because repair does not know how to fix it. */
  async function describeBreak(row: StoredEvent): Promise<ProofFailure> {
    const chain = createChain(async (parent, seq) => (await log.lastOf(parent, seq))?.hash);
    const head = heads.get(row.thread);
    if (head) chain.heads.set(row.thread, { seq: head.seq, hash: head.old });
    const chainLink = await chain.follow(row);
    return 'broken' in chainLink ? chainLink.broken : failureAt(row, 'does not link to the event before it');
  }
}

function keyOf(thread: string, seq: number): string {
  return `${seq} ${thread}`;
}
