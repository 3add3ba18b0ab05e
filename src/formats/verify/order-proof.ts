import type { EventLog, OrderMark, Stored } from '../../log/event-log.ts';
import { GENESIS, orderHash } from '../../log/seal.ts';
import type { Broken } from './chain.ts';

const PAGE = 1000;

/** Works out the chain over the whole workspace and holds it against the marks that commits left (L24). */
export function createOrderProof(log: EventLog) {
  let marks: readonly OrderMark[] = [];
  let next = 0;
  let hash = GENESIS;
  /** The last mark that held. */
  let proved = 0;
  let known = true;

  /** Takes the events in the order of the log; says where they are not in the order they were stored in. */
  async function follow(row: Stored): Promise<Broken | undefined> {
    hash = orderHash(hash, row);
    if (!known || (await markFrom(row.position))?.position !== row.position) return undefined;
    next++;
    if (marks[next - 1]?.hash !== hash) return moved(row);
    proved = row.position;
    return undefined;
  }

  /** The first mark at or after a position, and so the one that covers it. */
  async function markFrom(position: number): Promise<OrderMark | undefined> {
    while (next < marks.length && (marks[next] as OrderMark).position < position) next++;
    if (next === marks.length) {
      const page = await log.orderMarks(position - 1, PAGE);
      known = page !== undefined;
      marks = page ?? [];
      next = 0;
    }
    return marks[next];
  }

  /** After the last event: every one must lie before a mark, and no mark after the last of the log. */
  async function finish(last: Stored | undefined): Promise<Broken | undefined> {
    if (!known || !last) return undefined;
    if (proved !== last.position) {
      return { ...placeOf(last), why: `${between(last)} was put into the log, or taken from it, outside of Heddle` };
    }
    const [later] = (await log.orderMarks(last.position, 1)) ?? [];
    // Others may be writing: a mark comes with its events.
    if (!later || later.position <= (await log.head())) return undefined;
    return { ...placeOf(last), why: `is the last one, but there were ${later.position} in the workspace` };
  }

  function moved(row: Stored): Broken {
    return { ...placeOf(row), why: `${between(row)} was moved, swapped, replaced or taken out` };
  }

  function between({ position }: Stored): string {
    return position === proved + 1
      ? `is not what was stored as number ${position} of the workspace: it`
      : `ends numbers ${proved + 1} to ${position} of the workspace, one of which`;
  }

  return {
    follow,
    finish,
    /** The head of the chain; undefined for a workspace that has none yet. */
    head: () => (known ? hash : undefined),
  };
}

function placeOf({ thread, seq, id }: Stored) {
  return { thread, seq, id };
}
