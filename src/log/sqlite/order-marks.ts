import type { DatabaseSync } from 'node:sqlite';
import type { StoredEvent } from '../event-log.ts';
import { GENESIS, orderHash } from '../seal.ts';

const MARK_INTERVAL = 1000;

/**
 * Rebuilds the chain over the whole workspace from its events, for a file without one or with repaired events (L24).
 */
export function rebuildOrderMarks(db: DatabaseSync): void {
  db.exec('DELETE FROM order_marks');
  const insert = db.prepare('INSERT INTO order_marks VALUES (?, ?)');
  let hash = GENESIS;
  let position = 0;
  let count = 0;
  for (const row of db.prepare('SELECT position, thread, seq, hash FROM events ORDER BY position').iterate()) {
    const event = row as never as StoredEvent;
    hash = orderHash(hash, event);
    position = event.position;
    if (++count % MARK_INTERVAL === 0) insert.run(position, hash);
  }
  if (count % MARK_INTERVAL !== 0) insert.run(position, hash);
}
