/**
 * The word index. Words are already in the form to search for, so no language configuration is involved; phrases are
 * matched against the words themselves. The index's pending list is kept short, because every search reads all of it.
 */
export const searchTablesSql = `
  CREATE TABLE search_texts (
    n        bigint PRIMARY KEY,
    position bigint NOT NULL,
    part     integer NOT NULL,
    ts       bigint NOT NULL,
    words    text COLLATE "C" NOT NULL
  );
  CREATE INDEX search_words ON search_texts
    USING gin (array_to_tsvector(string_to_array(words, ' '))) WITH (gin_pending_list_limit = 256);
  CREATE TABLE search_spans (
    span   bigint PRIMARY KEY,
    oldest bigint NOT NULL,
    newest bigint NOT NULL
  );
  CREATE TABLE search_mark (
    one      integer PRIMARY KEY CHECK (one = 1),
    position bigint NOT NULL,
    hash     text COLLATE "C" NOT NULL,
    version  integer NOT NULL
  );
  INSERT INTO search_mark VALUES (1, 0, '', 0);

  CREATE FUNCTION search_put(
    old_position bigint, old_hash text, old_version integer,
    new_position bigint, new_hash text, new_version integer,
    span_size bigint, positions bigint[], parts integer[], times bigint[], texts text[]
  ) RETURNS boolean LANGUAGE plpgsql AS $$
  DECLARE
    last bigint;
  BEGIN
    UPDATE search_mark m SET position = new_position, hash = new_hash, version = new_version
    WHERE m.position = old_position AND m.hash = old_hash AND m.version = old_version;
    IF NOT FOUND THEN RETURN false; END IF;
    SELECT coalesce(max(n), 0) INTO last FROM search_texts;
    INSERT INTO search_texts
      SELECT last + t.n, t.position, t.part, t.ts, t.words
      FROM unnest(positions, parts, times, texts) WITH ORDINALITY AS t(position, part, ts, words, n);
    INSERT INTO search_spans AS s
      SELECT (last + t.n) / span_size, min(t.ts), max(t.ts)
      FROM unnest(times) WITH ORDINALITY AS t(ts, n) GROUP BY 1
    ON CONFLICT (span) DO UPDATE
      SET oldest = least(s.oldest, excluded.oldest), newest = greatest(s.newest, excluded.newest);
    RETURN true;
  END $$;

  CREATE FUNCTION search_clear() RETURNS void LANGUAGE sql AS $$
    UPDATE search_mark SET position = 0, hash = '', version = 0;
    TRUNCATE search_texts, search_spans;
  $$;
`;
