import type { DatabaseSync } from 'node:sqlite';
import { rebuildOrderMarks } from '../sqlite/order-marks.ts';

/** Numbered by place, never edited once released: a change is a new entry. */
export const sqliteMigrations: readonly (string | ((db: DatabaseSync) => void))[] = [
  `
  CREATE TABLE events (
    position INTEGER PRIMARY KEY,
    id       TEXT NOT NULL UNIQUE,
    thread   TEXT NOT NULL,
    seq      INTEGER NOT NULL,
    hash     TEXT NOT NULL,
    body     TEXT NOT NULL,
    UNIQUE (thread, seq)
  ) STRICT;
  CREATE TABLE forks (
    thread TEXT PRIMARY KEY,
    parent TEXT NOT NULL,
    seq    INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE commands (
    participant TEXT NOT NULL,
    id          TEXT NOT NULL,
    digest      TEXT NOT NULL,
    position    INTEGER NOT NULL,
    count       INTEGER NOT NULL,
    PRIMARY KEY (participant, id)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE records (
    kind  TEXT NOT NULL,
    key   TEXT NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (kind, key)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE snapshots (
    thread  TEXT PRIMARY KEY,
    seq     INTEGER NOT NULL,
    version INTEGER NOT NULL,
    body    TEXT NOT NULL
  ) STRICT;
  CREATE TABLE leases (
    name    TEXT PRIMARY KEY,
    holder  TEXT NOT NULL,
    fence   INTEGER NOT NULL,
    expires INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE blobs (
    hash TEXT PRIMARY KEY,
    size INTEGER NOT NULL,
    body BLOB NOT NULL
  ) STRICT;
  `,
  (db) => {
    db.exec('CREATE TABLE order_marks (position INTEGER PRIMARY KEY, hash TEXT NOT NULL) STRICT');
    rebuildOrderMarks(db);
  },
];
