import { canonical } from '../../core/events/canonical.ts';
import { type EventLog, eventOf, type Fork, type Stored } from '../../log/event-log.ts';
import type { Mend } from '../../log/repair.ts';
import { GENESIS, linkHash } from '../../log/seal.ts';
import { type Broken, createChain, forkedFrom } from './chain.ts';

const PAGE = 1000;

/** A fork that an earlier version sealed on another event than it names (L22). */
export interface MovedFork extends Fork {
  /** The event it says it begins after; `seq` is the one it was really decided on. */
  readonly said: number;
}

export interface RepairPlan {
  readonly forks: readonly MovedFork[];
  /** How many events get another hash, by thread: these forks and whatever was forked from them. */
  readonly threads: ReadonlyMap<string, number>;
  readonly mends: readonly Mend[];
  /** Something else is wrong, which is not for repair to guess about. */
  readonly broken?: Broken;
}

/** What an event links to: as it was sealed, and as it will be. `body`: the event itself, where that changes too. */
interface Before {
  readonly seq: number;
  readonly old: string;
  readonly hash: string;
  readonly body?: string;
}

/**
 * Finds the forks that were decided in the same commit as writes to their parent and sealed on an earlier event than they
 * name. Their seqs stay; they are made to name the event they link to, and what follows from them is hashed again.
 */
export async function planRepair(log: EventLog, progress?: (done: number, total: number) => void): Promise<RepairPlan> {
  const forks: MovedFork[] = [];
  const threads = new Map<string, number>();
  const mends: Mend[] = [];
  /** Hashes as they will be: the newest of each thread, and every one that changes. */
  const heads = new Map<string, Before>();
  const changed = new Map<string, string>();
  const plan = (broken?: Broken): RepairPlan => ({ forks, threads, mends, ...(broken && { broken }) });
  const total = await log.head();

  for (let position = 0; position < total; ) {
    const rows = await log.readAll(position, PAGE);
    if (rows.length === 0) break;
    for (const row of rows) {
      const before = heads.get(row.thread) ?? (await beginning(row));
      if (before.seq !== row.seq - 1 || linkHash(before.old, row.body) !== row.hash) return plan(await nameIt(row));
      const body = before.body ?? row.body;
      const hash = body === row.body && before.hash === before.old ? row.hash : linkHash(before.hash, body);
      if (hash !== row.hash) {
        mends.push({ position: row.position, body, hash });
        changed.set(keyOf(row.thread, row.seq), hash);
        threads.set(row.thread, (threads.get(row.thread) ?? 0) + 1);
      }
      heads.set(row.thread, { seq: row.seq, old: row.hash, hash });
    }
    position += rows.length;
    progress?.(position, total);
  }
  return plan();

  async function beginning(row: Stored): Promise<Before> {
    const event = eventOf(row);
    const said = forkedFrom(event);
    if (!said) return { seq: 0, old: GENESIS, hash: GENESIS };
    const point = await pointOf(said.thread, row.seq - 1);
    if (!point || said.seq === point.seq || linkHash(point.old, row.body) !== row.hash) {
      return point ?? { seq: said.seq, old: '', hash: '' };
    }
    forks.push({ thread: row.thread, parent: said.thread, seq: point.seq, said: said.seq });
    const { hash: _, ...whole } = event;
    const content = { ...(event.content as object), forked_from: { thread: said.thread, seq: point.seq } };
    return { ...point, body: canonical({ ...whole, content }) };
  }

  async function pointOf(thread: string, seq: number): Promise<Before | undefined> {
    const row = await log.lastOf(thread, seq);
    if (row?.seq !== seq) return undefined;
    return { seq, old: row.hash, hash: changed.get(keyOf(row.thread, seq)) ?? row.hash };
  }

  /** What verify says of it, for it is nothing we know how to mend. */
  async function nameIt(row: Stored): Promise<Broken> {
    const chain = createChain(async (parent, seq) => (await log.lastOf(parent, seq))?.hash);
    const known = heads.get(row.thread);
    if (known) chain.heads.set(row.thread, { seq: known.seq, hash: known.old });
    const link = await chain.follow(row);
    const { thread, seq, id } = row;
    return 'broken' in link ? link.broken : { thread, seq, id, why: 'does not link to the event before it' };
  }
}

function keyOf(thread: string, seq: number): string {
  return `${seq} ${thread}`;
}
