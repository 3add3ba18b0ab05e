import { MAX_TAKEOVER_MS } from '../lease.ts';

/**
 * A thread ($1) and its ancestors, newest first; the visible part of each is `seq > lo AND seq <= hi` (L13). WITH
 * RECURSIVE walks row by row, so depth costs time but no stack; the walk ends where `enoughSql` holds for the last
 * row.
 */
function lineageSql(newestSql: string, enoughSql: string): string {
  return `WITH RECURSIVE line(thread, lo, hi) AS (
    SELECT $1::text COLLATE "C", coalesce((SELECT seq FROM forks WHERE thread = $1), 0), ${newestSql}
    UNION ALL
    SELECT f.parent, coalesce((SELECT g.seq FROM forks g WHERE g.thread = f.parent), 0), least(f.seq, l.hi)
    FROM line l JOIN forks f ON f.thread = l.thread
    WHERE NOT (${enoughSql})
  )`;
}

/** Seqs have no gaps, so only the parts between `after` ($2) and `after + limit` ($3) are touched. */
export const readThreadSql = `
  ${lineageSql(`$2::bigint + $3::bigint`, 'l.lo <= $2')}
  SELECT e.* FROM line l JOIN events e ON e.thread = l.thread AND e.seq > $2 AND e.seq <= l.hi
  WHERE l.hi > $2 AND l.hi > l.lo
  ORDER BY e.seq LIMIT $3`;

/** The newest event at or before a seq ($2). */
export const lastOfSql = `
  ${lineageSql('$2::bigint', 'EXISTS (SELECT FROM events e WHERE e.thread = l.thread AND e.seq <= l.hi)')}
  SELECT e.* FROM line l CROSS JOIN LATERAL (
    SELECT * FROM events o WHERE o.thread = l.thread AND o.seq <= l.hi ORDER BY o.seq DESC LIMIT 1
  ) e
  ORDER BY e.seq DESC LIMIT 1`;

/** One row per key, in the order of the keys. */
export const appliedCommandsSql = `
  SELECT c.digest, c.position, c.count
  FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS k(participant, id, n)
  LEFT JOIN commands c ON c.participant = k.participant AND c.id = k.id
  ORDER BY k.n`;

/** Updates existing rows in place, so that a reader never sees a kind half replaced. */
export const replaceRecordsSql = `
  WITH removed AS (DELETE FROM records WHERE kind = $1 AND key <> ALL ($2::text[]))
  INSERT INTO records
    SELECT $1, w.key, w.value FROM unnest($2::text[], $3::text[]) AS w(key, value) ORDER BY w.key COLLATE "C"
  ON CONFLICT (kind, key) DO UPDATE SET value = excluded.value`;

const leaseEndSql = `clock_timestamp() + $3::bigint * interval '1 millisecond'`;
const latestEndSql = `clock_timestamp() + greatest($3::bigint, ${MAX_TAKEOVER_MS}) * interval '1 millisecond'`;

/**
 * Parameters: name, holder, milliseconds. A lease with too long to run was taken before the clock was set back
 * (log/lease.ts). The clock is read again after ON CONFLICT: another process may have taken the lease while this one
 * waited for the row.
 */
export const takeLeaseSql = `
  INSERT INTO leases AS l VALUES ($1, $2, 1, ${leaseEndSql})
  ON CONFLICT (name) DO UPDATE SET
    holder = excluded.holder,
    fence = CASE WHEN l.holder = excluded.holder AND l.expires > clock_timestamp() THEN l.fence ELSE l.fence + 1 END,
    expires = ${leaseEndSql}
  WHERE l.holder = excluded.holder OR l.expires <= clock_timestamp() OR l.expires > ${latestEndSql}
  RETURNING fence`;

/** Parameters: channel, origin, and the columns of postgres-append.ts. */
export const appendColumnsSql = `SELECT append_columns(${Array.from({ length: 25 }, (_, i) => `$${i + 1}`)}) AS result`;
