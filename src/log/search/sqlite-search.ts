import { rmSync, statSync } from 'node:fs';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { StoreUnavailable } from '../event-log.ts';
import { searchMigrations } from '../migrations/search-sqlite.ts';
import { createPrivateFile } from '../private-file.ts';
import {
  errorCodeOf,
  explainFailure,
  isDamaged,
  isDiskFull,
  noSpaceError,
  SQLITE_CANTOPEN,
  SQLITE_NOTADB,
} from '../sqlite/errors.ts';
import { createStatements, type Statements } from '../sqlite/statements.ts';
import {
  EMPTY_MARK,
  type IndexedText,
  type IndexHit,
  type IndexMark,
  type IndexPage,
  type IndexQuery,
  indexedWordsOf,
  isSameMark,
  type SearchIndex,
} from './search-index.ts';
import { ALL_NUMBERS, findInRanges, growingStretches, rangesOfSpans, SPAN_SIZE, wholeRange } from './spans.ts';
import { buildMatch, LAST_LETTER, wordsByPrefixSql } from './sqlite-query.ts';

const BUSY_MS = 5000;
/** A search blocks everything else on its thread. */
const SEARCH_MS = 50;

/**
 * The index is a separate file next to the log's, so that writing it never waits for the disk or delays the log. A
 * power cut may lose its newest commits, mark and texts together; they are then indexed again from the log.
 */
export function createSqliteSearch(path: string): SearchIndex & { close(): void } {
  let file: (OpenIndexFile & { readonly statements: Statements }) | undefined;

  function statements(): Statements {
    if (!file) {
      const openedFile = openIndex(path);
      file = { ...openedFile, statements: createStatements(openedFile.db) };
    }
    return file.statements;
  }

  function sql(text: string): StatementSync {
    return statements().sql(text);
  }

  /** Deletes a damaged file; the next one is rebuilt from the log. */
  async function withRecovery<T>(work: () => T | Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (!isDamaged(error))
        throw errorCodeOf(error) === SQLITE_CANTOPEN ? indexUnavailable(path) : explainFailure(error);
      close();
      removeFiles(path);
      return work();
    }
  }

  /** A file that could only be opened for reading is reopened: there may be room now. */
  function writeTransaction<T>(work: () => T): Promise<T> {
    if (file?.isReadOnly) close();
    return withRecovery(() => {
      const { transaction } = statements();
      if (file?.isReadOnly) throw noSpaceError();
      return transaction(work);
    });
  }

  function readMark(): IndexMark {
    return (sql('SELECT position, hash, version FROM mark').get() as IndexMark | undefined) ?? EMPTY_MARK;
  }

  function insertTexts(texts: readonly IndexedText[]) {
    let n = newestNumber();
    for (const text of texts) {
      const { position, part, ts } = text;
      n++;
      sql('INSERT INTO texts VALUES (?, ?, ?, ?)').run(n, position, part, ts);
      sql('INSERT INTO words (rowid, list) VALUES (?, ?)').run(n, indexedWordsOf(text).join(' '));
      sql(
        `INSERT INTO spans VALUES (?1, ?2, ?2)
         ON CONFLICT DO UPDATE SET oldest = min(oldest, ?2), newest = max(newest, ?2)
         WHERE ?2 < oldest OR ?2 > newest`,
      ).run(Math.floor(n / SPAN_SIZE), ts);
    }
  }

  function rangesFor({ after, before }: IndexQuery) {
    if (after === undefined && before === undefined) return ALL_NUMBERS;
    const spans = sql('SELECT span FROM spans WHERE newest >= ? AND oldest < ? ORDER BY span DESC').all(
      after ?? Number.MIN_SAFE_INTEGER,
      before ?? Number.MAX_SAFE_INTEGER,
    );
    return rangesOfSpans(spans.map(({ span }) => span as number));
  }

  function findTexts(indexQuery: IndexQuery, below: number, limit: number): Promise<IndexPage> {
    const { match, isMaterialized } = buildMatch(indexQuery, wordsByPrefix);
    const { after = Number.MIN_SAFE_INTEGER, before = Number.MAX_SAFE_INTEGER } = indexQuery;
    return findInRanges({
      ranges: rangesFor(indexQuery),
      newest: Math.min(newestNumber(), below - 1),
      limit,
      withinMs: SEARCH_MS,
      // FTS5 would collect the matches again for each search.
      nextStart: isMaterialized ? wholeRange : growingStretches(),
      findInRange: ({ from, to }, maxHits) =>
        sql(
          `SELECT t.n, t.position, t.part FROM words CROSS JOIN texts t ON t.n = words.rowid
           WHERE words MATCH ? AND words.rowid >= ? AND words.rowid <= ? AND t.ts >= ? AND t.ts < ?
           ORDER BY words.rowid DESC LIMIT ?`,
          // Numbers are bound as floating point, and FTS5 ignores such a bound: it would walk from the newest on.
          // Hence BigInt.
        ).all(match, BigInt(from), BigInt(to), after, before, maxHits) as never as readonly IndexHit[],
    });
  }

  function wordsByPrefix(prefix: string, limit: number): readonly string[] {
    return sql(wordsByPrefixSql)
      .all(prefix, prefix + LAST_LETTER, limit)
      .map(({ word }) => word as string);
  }

  function newestNumber(): number {
    return Number(sql('SELECT ifnull(max(n), 0) AS n FROM texts').get()?.n);
  }

  function close() {
    file?.db.close();
    file = undefined;
  }

  return {
    mark: () => withRecovery(readMark),
    put: (from, to, texts) =>
      writeTransaction(() => {
        if (!isSameMark(from, readMark())) return false;
        insertTexts(texts);
        sql('INSERT OR REPLACE INTO mark VALUES (1, ?, ?, ?)').run(to.position, to.hash, to.version);
        return true;
      }),
    clear: () =>
      writeTransaction(() => {
        sql(`INSERT INTO words (words) VALUES ('delete-all')`).run();
        for (const table of ['texts', 'spans', 'mark']) sql(`DELETE FROM ${table}`).run();
      }),
    find: (indexQuery, below, limit) => withRecovery(() => findTexts(indexQuery, below, limit)),
    close,
  };
}

interface OpenIndexFile {
  readonly db: DatabaseSync;
  readonly isReadOnly: boolean;
}

/** Sharing a file needs a few pages, which a full disk cannot provide; the file is then read without sharing. */
function openIndex(path: string): OpenIndexFile {
  try {
    return { db: openShared(path), isReadOnly: false };
  } catch (error) {
    const unsharedDb = isDiskFull(error) && openUnshared(path);
    if (!unsharedDb) throw error;
    return { db: unsharedDb, isReadOnly: true };
  }
}

/** Undefined if its journal is not empty, or it has another version. */
function openUnshared(path: string): DatabaseSync | undefined {
  if (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size) return undefined;
  const address = pathToFileURL(path);
  address.searchParams.set('immutable', '1');
  const db = new DatabaseSync(address, { readOnly: true });
  if (schemaVersionOf(db) === searchMigrations.length) return db;
  db.close();
  return undefined;
}

function openShared(path: string): DatabaseSync {
  createPrivateFile(path);
  const db = new DatabaseSync(path, { timeout: BUSY_MS });
  try {
    db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;');
    const version = schemaVersionOf(db);
    if (version > searchMigrations.length)
      throw Object.assign(new Error('It is of a newer Heddle.'), { errcode: SQLITE_NOTADB });
    if (version === searchMigrations.length) return db;
    db.exec('BEGIN IMMEDIATE');
    // Read the version again: another process may have opened the file at the same time.
    for (const migration of searchMigrations.slice(schemaVersionOf(db))) db.exec(migration);
    db.exec(`PRAGMA user_version = ${searchMigrations.length}; COMMIT`);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

function schemaVersionOf(db: DatabaseSync): number {
  return Number(db.prepare('PRAGMA user_version').get()?.user_version);
}

function indexUnavailable(path: string): StoreUnavailable {
  return new StoreUnavailable(`The word index at ${path} cannot be opened. Check the permissions of its directory.`);
}

function removeFiles(path: string) {
  for (const suffix of ['', '-wal', '-shm']) rmSync(path + suffix, { force: true });
}
