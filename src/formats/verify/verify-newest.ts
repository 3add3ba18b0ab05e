import type { EventLog } from '../../log/event-log.ts';
import { eventOf } from '../../log/event-log.ts';
import { GENESIS, linkHash } from '../../log/seal.ts';
import { failureAt, forkPointOf, type ProofFailure } from './chain.ts';

/** Verifies only the newest links of a workspace: a quick check, not the full proof of `heddle verify`. */
export async function verifyNewest(
  log: EventLog,
  count: number,
): Promise<{ readonly links: number; readonly broken?: ProofFailure }> {
  const head = await log.head();
  const rows = await log.readAll(Math.max(0, head - count), count);
  for (const row of rows) {
    const fork = forkPointOf(eventOf(row));
    const previous = fork
      ? await log.lastOf(fork.thread, fork.seq)
      : row.seq > 1
        ? await log.lastOf(row.thread, row.seq - 1)
        : undefined;
    if (linkHash(previous?.hash ?? GENESIS, row.body) === row.hash) continue;
    return { links: rows.length, broken: failureAt(row, 'does not link to the event before it') };
  }
  return { links: rows.length };
}
