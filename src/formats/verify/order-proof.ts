import type { EventLog, OrderMark, StoredEvent } from '../../log/event-log.ts';
import { GENESIS, orderHash } from '../../log/seal.ts';
import { failureAt, type ProofFailure } from './chain.ts';

const PAGE = 1000;

/** Recomputes the chain over the whole workspace and compares it with the marks that commits left (L24). */
export function createOrderProof(log: EventLog) {
  let marks: readonly OrderMark[] = [];
  let nextIndex = 0;
  let hash = GENESIS;
  /** The last mark that held. */
  let provenPosition = 0;
  let hasMarks = true;

  /** Takes events in log order; reports an event that is not in the order in which events were stored. */
  async function follow(row: StoredEvent): Promise<ProofFailure | undefined> {
    hash = orderHash(hash, row);
    if (!hasMarks || (await markFrom(row.position))?.position !== row.position) return undefined;
    nextIndex++;
    if (marks[nextIndex - 1]?.hash !== hash)
      return failureAt(row, `${describeRange(row)} was moved, swapped, replaced or taken out`);
    provenPosition = row.position;
    return undefined;
  }

  /** The first mark at or after a position, which is the one that covers it. */
  async function markFrom(position: number): Promise<OrderMark | undefined> {
    while (nextIndex < marks.length && (marks[nextIndex] as OrderMark).position < position) nextIndex++;
    if (nextIndex === marks.length) {
      const page = await log.orderMarks(position - 1, PAGE);
      hasMarks = page !== undefined;
      marks = page ?? [];
      nextIndex = 0;
    }
    return marks[nextIndex];
  }

  /** Call after the last event: every event must lie before a mark, and no mark may lie after the last event. */
  async function finish(last: StoredEvent | undefined): Promise<ProofFailure | undefined> {
    if (!hasMarks || !last) return undefined;
    if (provenPosition !== last.position) {
      return failureAt(last, `${describeRange(last)} was put into the log, or taken from it, outside of Heddle`);
    }
    const [laterMark] = (await log.orderMarks(last.position, 1)) ?? [];
    // Other processes may be writing: a new mark is committed together with its events.
    if (!laterMark || laterMark.position <= (await log.head())) return undefined;
    return failureAt(last, `is the last one, but there were ${laterMark.position} in the workspace`);
  }

  function describeRange({ position }: StoredEvent): string {
    return position === provenPosition + 1
      ? `is not what was stored as number ${position} of the workspace: it`
      : `ends numbers ${provenPosition + 1} to ${position} of the workspace, one of which`;
  }

  return {
    follow,
    finish,
    /** The head of the chain; undefined for a workspace without order marks. */
    head: () => (hasMarks ? hash : undefined),
  };
}
