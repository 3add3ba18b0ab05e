/**
 * Checks every event against the event it continues, and adds a second chain over the whole workspace (L22, L24).
 * Replaces the functions of migration 1. Never edited once released.
 *
 * - `HD001` means that an event does not continue its thread: nothing of the batch is stored.
 * - A server of an earlier version no longer finds the function it calls, so it cannot bypass the checks.
 */
export const orderedAppendSql = `
CREATE TABLE order_marks (
  position bigint PRIMARY KEY,
  hash     text COLLATE "C" NOT NULL
);

CREATE FUNCTION order_hash(previous text, e events) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT encode(sha256(convert_to(
    previous || E'\\n' || e.position || ' ' || e.seq || ' ' || e.hash || ' ' || e.thread, 'UTF8')), 'hex')
$$;

/** Continues the chain over the events that were just stored: those after a position. A mark at the end of each thousand. */
CREATE FUNCTION mark_order(stored_after bigint) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  link text := coalesce((SELECT m.hash FROM order_marks m ORDER BY m.position DESC LIMIT 1), repeat('0', 64));
  marked bigint;
  e events;
  done bigint := 0;
BEGIN
  FOR e IN SELECT * FROM events o WHERE o.position > stored_after ORDER BY o.position LOOP
    link := order_hash(link, e);
    marked := e.position;
    done := done + 1;
    IF done % 1000 = 0 THEN INSERT INTO order_marks VALUES (marked, link); END IF;
  END LOOP;
  IF done % 1000 <> 0 THEN INSERT INTO order_marks VALUES (marked, link); END IF;
END $$;
SELECT mark_order(0);

/** The hash of the event a thread can see at a seq; NULL where there is none. */
CREATE FUNCTION hash_at(wanted text, at bigint) RETURNS text LANGUAGE plpgsql STABLE AS $$
DECLARE
  owner text := wanted;
  up forks;
BEGIN
  LOOP
    SELECT * INTO up FROM forks f WHERE f.thread = owner;
    EXIT WHEN NOT FOUND OR at > up.seq;
    owner := up.parent;
  END LOOP;
  RETURN (SELECT e.hash FROM events e WHERE e.thread = owner AND e.seq = at);
END $$;

/** Whether an event with this seq and previous hash continues the thread as it is stored. */
CREATE FUNCTION continues(wanted text, at bigint, previous text) RETURNS boolean LANGUAGE plpgsql STABLE AS $$
DECLARE
  last_seq bigint;
  last_hash text;
BEGIN
  SELECT e.seq, e.hash INTO last_seq, last_hash FROM events e WHERE e.thread = wanted ORDER BY e.seq DESC LIMIT 1;
  IF FOUND THEN RETURN at = last_seq + 1 AND previous = last_hash; END IF;
  SELECT f.seq, hash_at(f.parent, f.seq) INTO last_seq, last_hash FROM forks f WHERE f.thread = wanted;
  IF FOUND THEN RETURN coalesce(at = last_seq + 1 AND previous = last_hash, false); END IF;
  RETURN at = 1 AND previous = repeat('0', 64);
END $$;

CREATE OR REPLACE FUNCTION append_entry(entry jsonb, lost text[]) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  command jsonb := entry->'command';
  wanted jsonb;
  earlier commands;
  first bigint;
  next bigint;
BEGIN
  IF command IS NOT NULL THEN
    SELECT * INTO earlier FROM commands c WHERE c.participant = command->>'participant' AND c.id = command->>'id';
    IF FOUND THEN
      RETURN jsonb_build_object('status', 'repeated', 'earlier', jsonb_build_object(
        'digest', earlier.digest, 'position', earlier.position, 'count', earlier.count));
    END IF;
  END IF;

  IF entry ? 'lease' THEN
    PERFORM FROM leases l
    WHERE l.name = entry->'lease'->>'name' AND l.fence = (entry->'lease'->>'fence')::bigint AND l.expires > clock_timestamp()
    FOR SHARE;
    IF NOT FOUND THEN RETURN jsonb_build_object('status', 'fenced'); END IF;
  END IF;

  FOR wanted IN SELECT jsonb_array_elements(entry->'expected') LOOP
    IF wanted->>'thread' = ANY (lost) OR (wanted->>'seq')::bigint <> coalesce(
      (SELECT e.seq FROM events e WHERE e.thread = wanted->>'thread' ORDER BY e.seq DESC LIMIT 1), 0)
    THEN
      RETURN jsonb_build_object('status', 'conflict', 'thread', wanted->'thread');
    END IF;
  END LOOP;

  IF entry ? 'forks' THEN
    FOR wanted IN SELECT jsonb_array_elements(entry->'forks') LOOP
      IF wanted->>'parent' = ANY (lost) AND hash_at(wanted->>'parent', (wanted->>'seq')::bigint) IS DISTINCT FROM
        (SELECT e->>'previous' FROM jsonb_array_elements(entry->'events') AS e WHERE e->>'thread' = wanted->>'thread' LIMIT 1)
      THEN
        RETURN jsonb_build_object('status', 'conflict', 'thread', wanted->'parent');
      END IF;
    END LOOP;
    INSERT INTO forks SELECT * FROM jsonb_to_recordset(entry->'forks') AS f(thread text, parent text, seq bigint);
  END IF;

  SELECT coalesce(max(e.position), 0) + 1 INTO first FROM events e;
  next := first;
  FOR wanted IN SELECT jsonb_array_elements(entry->'events') LOOP
    IF NOT continues(wanted->>'thread', (wanted->>'seq')::bigint, wanted->>'previous') THEN
      RAISE EXCEPTION USING ERRCODE = 'HD001', MESSAGE = wanted->>'thread', DETAIL = wanted->>'seq';
    END IF;
    INSERT INTO events VALUES
      (next, wanted->>'id', wanted->>'thread', (wanted->>'seq')::bigint, wanted->>'hash', wanted->>'body');
    next := next + 1;
  END LOOP;
  IF command IS NOT NULL THEN
    INSERT INTO commands VALUES
      (command->>'participant', command->>'id', command->>'digest', first, jsonb_array_length(entry->'events'));
  END IF;
  IF entry ? 'records' THEN
    PERFORM put_records(array_agg(w.kind), array_agg(w.key), array_agg(w.value)) FROM (
      SELECT DISTINCT ON (kind, key) kind, key, value
      FROM ROWS FROM (jsonb_to_recordset(entry->'records') AS (kind text, key text, value text))
        WITH ORDINALITY AS r(kind, key, value, n)
      ORDER BY kind, key, n DESC
    ) w;
  END IF;
  RETURN jsonb_build_object('status', 'committed', 'position', first);
END $$;

CREATE OR REPLACE FUNCTION append_batch(channel text, origin text, batch jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  entry jsonb;
  outcome jsonb;
  outcomes jsonb := '[]';
  lost text[] := '{}';
  head bigint;
BEGIN
  PERFORM lock_workspace();
  SELECT coalesce(max(e.position), 0) INTO head FROM events e;
  FOR entry IN SELECT jsonb_array_elements(batch) LOOP
    outcome := append_entry(entry, lost);
    outcomes := outcomes || outcome;
    IF outcome->>'status' <> 'committed' THEN
      lost := lost || ARRAY(SELECT e->>'thread' FROM jsonb_array_elements(entry->'expected') AS e);
    END IF;
  END LOOP;
  PERFORM mark_order(head);
  IF outcomes @> '[{"status": "committed"}]' THEN PERFORM pg_notify(channel, origin); END IF;
  RETURN outcomes;
END $$;

DROP FUNCTION append_columns(
  text, text, text[], text[], text[], bigint[], integer[], text[], bigint[], text[], bigint[],
  text[], text[], bigint[], text[], text[], text[], text[], bigint[], text[], text[], text[]);

/** Where nothing in a batch stands in the way of anything else in it. The "joints" are where it meets what is stored. */
CREATE FUNCTION append_columns(
  channel text, origin text,
  participants text[], command_ids text[], digests text[], starts bigint[], counts integer[],
  lease_names text[], fences bigint[],
  heads text[], head_seqs bigint[],
  joint_threads text[], joint_seqs bigint[], joint_hashes text[],
  ids text[], threads text[], seqs bigint[], hashes text[], bodies text[],
  fork_threads text[], fork_parents text[], fork_seqs bigint[],
  kinds text[], keys text[], texts text[]
) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  head bigint;
  held bigint;
BEGIN
  PERFORM lock_workspace();
  IF EXISTS (SELECT FROM unnest(heads, head_seqs) AS h(thread, seq) WHERE h.seq <> coalesce(
      (SELECT e.seq FROM events e WHERE e.thread = h.thread ORDER BY e.seq DESC LIMIT 1), 0))
  THEN RETURN NULL; END IF;
  IF EXISTS (SELECT FROM unnest(joint_threads, joint_seqs, joint_hashes) AS j(thread, seq, hash)
      WHERE hash_at(j.thread, j.seq) IS DISTINCT FROM j.hash AND NOT (
        j.seq = 0 AND j.hash = repeat('0', 64) AND NOT EXISTS (SELECT FROM forks f WHERE f.thread = j.thread)))
  THEN RETURN NULL; END IF;
  IF EXISTS (SELECT FROM unnest(participants, command_ids) AS k(participant, id)
      JOIN commands c ON c.participant = k.participant AND c.id = k.id)
  THEN RETURN NULL; END IF;
  IF cardinality(lease_names) > 0 THEN
    PERFORM FROM unnest(lease_names, fences) AS k(name, fence) JOIN leases l ON l.name = k.name
    WHERE l.fence = k.fence AND l.expires > clock_timestamp() FOR SHARE OF l;
    GET DIAGNOSTICS held = ROW_COUNT;
    IF held <> cardinality(lease_names) THEN RETURN NULL; END IF;
  END IF;

  SELECT coalesce(max(e.position), 0) INTO head FROM events e;
  INSERT INTO events
    SELECT head + e.n, e.id, e.thread, e.seq, e.hash, e.body
    FROM unnest(ids, threads, seqs, hashes, bodies) WITH ORDINALITY AS e(id, thread, seq, hash, body, n);
  INSERT INTO commands
    SELECT c.participant, c.id, c.digest, head + 1 + c.start, c.count
    FROM unnest(participants, command_ids, digests, starts, counts) AS c(participant, id, digest, start, count);
  IF cardinality(fork_threads) > 0 THEN
    INSERT INTO forks SELECT * FROM unnest(fork_threads, fork_parents, fork_seqs);
  END IF;
  IF cardinality(kinds) > 0 THEN PERFORM put_records(kinds, keys, texts); END IF;
  IF cardinality(ids) > 0 THEN PERFORM mark_order(head); END IF;
  PERFORM pg_notify(channel, origin);
  RETURN head + 1;
END $$;
`;
