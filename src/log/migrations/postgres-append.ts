/**
 * The append as one function: one round trip, and no lock is ever held while waiting for a client. It takes a batch
 * and returns its outcomes as the JSON that the port uses. Part of migration 1, so never edited once released.
 *
 * - The advisory lock is the workspace's write lock. It is released only after the commit is visible, so position
 *   order is commit order (L10).
 * - Each statement after the lock has its own snapshot (READ COMMITTED), so an entry sees everything before it, in
 *   its batch and outside.
 * - FOR SHARE makes a process that takes over a lease wait until this append is in the log, where the new holder will
 *   find it (L19).
 */
export const appendFunctionsSql = `
CREATE FUNCTION lock_workspace() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(x'6864646c'::int, hashtext(current_schema()));
END $$;

CREATE FUNCTION put_records(kinds text[], keys text[], texts text[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF array_position(texts, NULL) IS NOT NULL THEN
    DELETE FROM records r USING unnest(kinds, keys, texts) AS w(kind, key, value)
    WHERE r.kind = w.kind AND r.key = w.key AND w.value IS NULL;
  END IF;
  INSERT INTO records
    SELECT w.kind, w.key, w.value FROM unnest(kinds, keys, texts) AS w(kind, key, value)
    WHERE w.value IS NOT NULL ORDER BY w.kind COLLATE "C", w.key COLLATE "C"
  ON CONFLICT (kind, key) DO UPDATE SET value = excluded.value;
END $$;

CREATE FUNCTION append_entry(entry jsonb, lost text[]) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  command jsonb := entry->'command';
  wanted jsonb;
  earlier commands;
  first bigint;
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

  SELECT coalesce(max(e.position), 0) + 1 INTO first FROM events e;
  INSERT INTO events
    SELECT first + n - 1, id, thread, seq, hash, body
    FROM ROWS FROM (jsonb_to_recordset(entry->'events') AS (id text, thread text, seq bigint, hash text, body text))
      WITH ORDINALITY AS e(id, thread, seq, hash, body, n);
  IF entry ? 'forks' THEN
    INSERT INTO forks SELECT * FROM jsonb_to_recordset(entry->'forks') AS f(thread text, parent text, seq bigint);
  END IF;
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

CREATE FUNCTION append_batch(channel text, origin text, batch jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  entry jsonb;
  outcome jsonb;
  outcomes jsonb := '[]';
  lost text[] := '{}';
BEGIN
  PERFORM lock_workspace();
  FOR entry IN SELECT jsonb_array_elements(batch) LOOP
    outcome := append_entry(entry, lost);
    outcomes := outcomes || outcome;
    IF outcome->>'status' <> 'committed' THEN
      lost := lost || ARRAY(SELECT e->>'thread' FROM jsonb_array_elements(entry->'expected') AS e);
    END IF;
  END LOOP;
  IF outcomes @> '[{"status": "committed"}]' THEN PERFORM pg_notify(channel, origin); END IF;
  RETURN outcomes;
END $$;

CREATE FUNCTION append_columns(
  channel text, origin text,
  participants text[], command_ids text[], digests text[], starts bigint[], counts integer[],
  lease_names text[], fences bigint[],
  heads text[], head_seqs bigint[],
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
  PERFORM pg_notify(channel, origin);
  RETURN head + 1;
END $$;

CREATE FUNCTION take_lease(wanted text, taker text, ttl_ms bigint) RETURNS bigint LANGUAGE sql AS $$
  INSERT INTO leases AS l VALUES (wanted, taker, 1, clock_timestamp() + ttl_ms * interval '1 millisecond')
  ON CONFLICT (name) DO UPDATE SET
    holder = taker,
    fence = CASE WHEN l.expires > clock_timestamp() THEN l.fence ELSE l.fence + 1 END,
    expires = clock_timestamp() + ttl_ms * interval '1 millisecond'
  WHERE l.holder = taker OR l.expires <= clock_timestamp()
  RETURNING fence
$$;
`;
