import type { Event } from '../../core/events/event.ts';
import { createChain, type ProofFailure } from '../../formats/verify/chain.ts';
import { type EventLog, eventOf, type StoredEvent } from '../../log/event-log.ts';
import { GENESIS } from '../../log/seal.ts';

const MAX_LINKS = 2_000;
const MAX_BYTES = 8 * 1024 * 1024;
const PAGE = 250;

/** The events of a thread up to one of them, newest last: as many as the limits allow, each link verified (L5). */
export interface ThreadPast {
  readonly events: readonly Event[];
  /** The hash that the newest event links to. */
  readonly previous: string;
  /** True if the events go back to the start of the thread. */
  readonly whole: boolean;
  readonly broken?: ProofFailure;
}

export async function pastOf(log: EventLog, thread: string, seq: number): Promise<ThreadPast> {
  const rows = await rowsUpTo(log, thread, seq);
  const [first] = rows;
  const chain = createChain(async (parent, at) => (await log.lastOf(parent, at))?.hash);
  const whole = first?.seq === 1;
  const before = whole || !first ? undefined : await log.lastOf(thread, first.seq - 1);
  // Events before the first row are trusted without verification.
  if (before) chain.heads.set(before.thread, { seq: before.seq, hash: before.hash });
  const events: Event[] = [];
  let broken: ProofFailure | undefined;
  for (const row of rows) {
    events.push(eventOf(row));
    if (broken) continue;
    const link = await chain.follow(row);
    if ('broken' in link) broken = link.broken;
  }
  const previous = rows.at(-2)?.hash ?? before?.hash ?? GENESIS;
  return { events, previous, whole, ...(broken && { broken }) };
}

/** Reads pages backwards from the newest event until a limit is reached. */
async function rowsUpTo(log: EventLog, thread: string, seq: number): Promise<readonly StoredEvent[]> {
  const pages: (readonly StoredEvent[])[] = [];
  let bytes = 0;
  for (let end = seq; end > 0 && seq - end < MAX_LINKS && bytes < MAX_BYTES; end -= PAGE) {
    const start = Math.max(0, end - PAGE);
    const page = await log.readThread(thread, start, end - start);
    for (const { body } of page) bytes += body.length;
    pages.push(page);
  }
  return pages.reverse().flat();
}

export function lastBefore({ events }: ThreadPast, seq: number, matches: (event: Event) => boolean): Event | undefined {
  return events.findLast((event) => event.seq < seq && matches(event));
}
