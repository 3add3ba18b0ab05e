import { appendFunctionsSql } from './postgres-append.ts';
import { orderedAppendSql } from './postgres-order.ts';
import { searchTablesSql } from './postgres-search.ts';
import { searchShelvesSql } from './postgres-shelves.ts';

/**
 * Numbered by place, never edited once released: a change is a new entry.
 * Text compares by bytes (`COLLATE "C"`), so that order is the same on every server.
 */
export const postgresMigrations: readonly string[] = [
  `
  CREATE TABLE events (
    position bigint PRIMARY KEY,
    id       text COLLATE "C" NOT NULL UNIQUE,
    thread   text COLLATE "C" NOT NULL,
    seq      bigint NOT NULL,
    hash     text COLLATE "C" NOT NULL,
    body     text COLLATE "C" NOT NULL,
    UNIQUE (thread, seq)
  );
  CREATE TABLE forks (
    thread text COLLATE "C" PRIMARY KEY,
    parent text COLLATE "C" NOT NULL,
    seq    bigint NOT NULL
  );
  CREATE TABLE commands (
    participant text COLLATE "C" NOT NULL,
    id          text COLLATE "C" NOT NULL,
    digest      text COLLATE "C" NOT NULL,
    position    bigint NOT NULL,
    count       integer NOT NULL,
    PRIMARY KEY (participant, id)
  );
  CREATE TABLE records (
    kind  text COLLATE "C" NOT NULL,
    key   text COLLATE "C" NOT NULL,
    value text COLLATE "C" NOT NULL,
    PRIMARY KEY (kind, key)
  );
  CREATE TABLE snapshots (
    thread  text COLLATE "C" PRIMARY KEY,
    seq     bigint NOT NULL,
    version integer NOT NULL,
    body    text COLLATE "C" NOT NULL
  );
  CREATE TABLE leases (
    name    text COLLATE "C" PRIMARY KEY,
    holder  text COLLATE "C" NOT NULL,
    fence   bigint NOT NULL,
    expires timestamptz NOT NULL
  );
  CREATE TABLE blobs (
    hash text COLLATE "C" PRIMARY KEY,
    size bigint NOT NULL,
    body bytea NOT NULL
  );
  ALTER TABLE blobs ALTER COLUMN body SET STORAGE EXTERNAL;
  ${appendFunctionsSql}
  `,
  searchTablesSql,
  searchShelvesSql,
  orderedAppendSql,
];
