import { rmSync, statSync } from 'node:fs';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { StoreUnavailable } from '../event-log.ts';
import { searchMigrations } from '../migrations/search-sqlite.ts';
import { makePrivately } from '../private-file.ts';
import { failureOf, lacksRoom, noSpace } from '../sqlite/errors.ts';
import { type Statements, statementsOf } from '../sqlite/statements.ts';
import {
  type Finding,
  type Found,
  type IndexedText,
  indexedWords,
  type Mark,
  NO_MARK,
  type SearchIndex,
  sameMark,
  type Wanted,
} from './search-index.ts';
import { atOnce, EVERYWHERE, findIn, growing, rangesOf, SPAN } from './spans.ts';
import { LAST_LETTER, matchOf, wordsLikeSql } from './sqlite-query.ts';

const BUSY_MS = 5000;
/** A look holds up everything else in this process. */
const LOOK_MS = 50;
const SQLITE_CORRUPT = 11;
const SQLITE_CANTOPEN = 14;
const SQLITE_NOTADB = 26;

/**
 * The index is a file beside the log's, so that writing it never waits for the
 * disk or makes the log wait: it may lose its newest commits in a power cut,
 * mark and texts together, and takes them from the log again.
 */
export function createSqliteSearch(path: string): SearchIndex & { close(): void } {
  let file: (Opened & { readonly statements: Statements }) | undefined;

  function statements(): Statements {
    if (!file) {
      const opened = open(path);
      file = { ...opened, statements: statementsOf(opened.db) };
    }
    return file.statements;
  }

  function sql(text: string): StatementSync {
    return statements().sql(text);
  }

  /** A file that is damaged is of no use to anybody: the next one is made from the log. */
  async function mending<T>(work: () => T | Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (!isDamage(error)) throw cannotOpen(error) ? unusable(path) : failureOf(error);
      close();
      remove(path);
      return work();
    }
  }

  /** What could only be opened to read is opened again: there may be room now. */
  function writing<T>(work: () => T): Promise<T> {
    if (file?.isReadOnly) close();
    return mending(() => {
      const { transaction } = statements();
      if (file?.isReadOnly) throw noSpace();
      return transaction(work);
    });
  }

  function readMark(): Mark {
    return (sql('SELECT position, hash, version FROM mark').get() as Mark | undefined) ?? NO_MARK;
  }

  function add(texts: readonly IndexedText[]) {
    let n = newest();
    for (const text of texts) {
      const { position, part, ts } = text;
      n++;
      sql('INSERT INTO texts VALUES (?, ?, ?, ?)').run(n, position, part, ts);
      sql('INSERT INTO words (rowid, list) VALUES (?, ?)').run(n, indexedWords(text).join(' '));
      sql(
        `INSERT INTO spans VALUES (?1, ?2, ?2)
         ON CONFLICT DO UPDATE SET oldest = min(oldest, ?2), newest = max(newest, ?2)
         WHERE ?2 < oldest OR ?2 > newest`,
      ).run(Math.floor(n / SPAN), ts);
    }
  }

  function ranges({ after, before }: Wanted) {
    if (after === undefined && before === undefined) return EVERYWHERE;
    const spans = sql('SELECT span FROM spans WHERE newest >= ? AND oldest < ? ORDER BY span DESC').all(
      after ?? Number.MIN_SAFE_INTEGER,
      before ?? Number.MAX_SAFE_INTEGER,
    );
    return rangesOf(spans.map(({ span }) => span as number));
  }

  function find(wanted: Wanted, under: number, limit: number): Promise<Finding> {
    const { match, together } = matchOf(wanted, wordsLike);
    const { after = Number.MIN_SAFE_INTEGER, before = Number.MAX_SAFE_INTEGER } = wanted;
    return findIn({
      ranges: ranges(wanted),
      newest: Math.min(newest(), under - 1),
      limit,
      withinMs: LOOK_MS,
      // What is put together is so for each look.
      stretches: together ? atOnce : growing(),
      look: ({ from, to }, most) =>
        sql(
          `SELECT t.n, t.position, t.part FROM words CROSS JOIN texts t ON t.n = words.rowid
           WHERE words MATCH ? AND words.rowid >= ? AND words.rowid <= ? AND t.ts >= ? AND t.ts < ?
           ORDER BY words.rowid DESC LIMIT ?`,
          // Numbers are bound as floating point, and FTS5 would not use such a bound: it would walk from the newest on.
        ).all(match, BigInt(from), BigInt(to), after, before, most) as never as readonly Found[],
    });
  }

  function wordsLike(beginning: string, most: number): readonly string[] {
    return sql(wordsLikeSql)
      .all(beginning, beginning + LAST_LETTER, most)
      .map(({ word }) => word as string);
  }

  function newest(): number {
    return Number(sql('SELECT ifnull(max(n), 0) AS n FROM texts').get()?.n);
  }

  function close() {
    file?.db.close();
    file = undefined;
  }

  return {
    mark: () => mending(readMark),
    put: (from, to, texts) =>
      writing(() => {
        if (!sameMark(from, readMark())) return false;
        add(texts);
        sql('INSERT OR REPLACE INTO mark VALUES (1, ?, ?, ?)').run(to.position, to.hash, to.version);
        return true;
      }),
    clear: () =>
      writing(() => {
        sql(`INSERT INTO words (words) VALUES ('delete-all')`).run();
        for (const table of ['texts', 'spans', 'mark']) sql(`DELETE FROM ${table}`).run();
      }),
    find: (wanted, under, limit) => mending(() => find(wanted, under, limit)),
    close,
  };
}

interface Opened {
  readonly db: DatabaseSync;
  readonly isReadOnly: boolean;
}

/** Sharing a file takes a few pages, which a full disk does not give: then what is in it is read without sharing. */
function open(path: string): Opened {
  try {
    return { db: openShared(path), isReadOnly: false };
  } catch (error) {
    const alone = lacksRoom(error) && openAlone(path);
    if (!alone) throw error;
    return { db: alone, isReadOnly: true };
  }
}

/** Undefined where something is still in its journal, or it is not of this version. */
function openAlone(path: string): DatabaseSync | undefined {
  if (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size) return undefined;
  const address = pathToFileURL(path);
  address.searchParams.set('immutable', '1');
  const db = new DatabaseSync(address, { readOnly: true });
  if (versionOf(db) === searchMigrations.length) return db;
  db.close();
  return undefined;
}

function openShared(path: string): DatabaseSync {
  makePrivately(path);
  const db = new DatabaseSync(path, { timeout: BUSY_MS });
  try {
    db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;');
    const version = versionOf(db);
    if (version > searchMigrations.length)
      throw Object.assign(new Error('It is of a newer Heddle.'), { errcode: SQLITE_NOTADB });
    if (version === searchMigrations.length) return db;
    db.exec('BEGIN IMMEDIATE');
    // Looked at again: another process may have been opening it, too.
    for (const migration of searchMigrations.slice(versionOf(db))) db.exec(migration);
    db.exec(`PRAGMA user_version = ${searchMigrations.length}; COMMIT`);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

function versionOf(db: DatabaseSync): number {
  return Number(db.prepare('PRAGMA user_version').get()?.user_version);
}

function isDamage(error: unknown): boolean {
  return codeOf(error) === SQLITE_CORRUPT || codeOf(error) === SQLITE_NOTADB;
}

function cannotOpen(error: unknown): boolean {
  return codeOf(error) === SQLITE_CANTOPEN;
}

function codeOf(error: unknown): number {
  return ((error as { errcode?: number }).errcode ?? 0) & 0xff;
}

function unusable(path: string): StoreUnavailable {
  return new StoreUnavailable(
    `The index of words at ${path} cannot be opened. Check the permissions of its directory.`,
  );
}

function remove(path: string) {
  for (const suffix of ['', '-wal', '-shm']) rmSync(path + suffix, { force: true });
}
