import { rmSync } from 'node:fs';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import type { Term } from '../core/search/query.ts';
import { StoreUnavailable } from './event-log.ts';
import { searchMigrations } from './migrations/search-sqlite.ts';
import {
  type Finding,
  type Found,
  type IndexedText,
  type Mark,
  NO_MARK,
  type SearchIndex,
  sameMark,
  type Wanted,
} from './search-index.ts';
import { EVERYWHERE, findIn, rangesOf, SPAN } from './search-spans.ts';
import { failureOf } from './sqlite-errors.ts';

const BUSY_MS = 5000;
/** A look holds up everything else in this process. */
const LOOK_MS = 50;
/**
 * The beginning of a word stands for the most frequent words that begin so. The table's own way puts all their texts
 * together before it gives the first, which takes the longer the more there are.
 */
const MOST_WORDS = 128;
const LAST_LETTER = '\u{10FFFF}';
const SQLITE_CORRUPT = 11;
const SQLITE_CANTOPEN = 14;
const SQLITE_NOTADB = 26;

/**
 * The index is a file beside the log's, so that writing it never waits for the
 * disk or makes the log wait: it may lose its newest commits in a power cut,
 * mark and texts together, and takes them from the log again.
 */
export function createSqliteSearch(path: string): SearchIndex & { close(): void } {
  let db: DatabaseSync | undefined;
  const lazily = new Map<string, StatementSync>();

  function sql(text: string): StatementSync {
    db ??= open(path);
    const known = lazily.get(text);
    if (known) return known;
    const statement = db.prepare(text);
    lazily.set(text, statement);
    return statement;
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

  function transaction<T>(work: () => T): T {
    sql('BEGIN IMMEDIATE').run();
    try {
      const result = work();
      sql('COMMIT').run();
      return result;
    } catch (error) {
      if (db?.isTransaction) sql('ROLLBACK').run();
      throw error;
    }
  }

  function readMark(): Mark {
    return (sql('SELECT position, hash, version FROM mark').get() as Mark | undefined) ?? NO_MARK;
  }

  function add(texts: readonly IndexedText[]) {
    let n = newest();
    const counts = new Map<string, number>();
    for (const { position, part, ts, words } of texts) {
      n++;
      sql('INSERT INTO texts VALUES (?, ?, ?, ?)').run(n, position, part, ts);
      sql('INSERT INTO words (rowid, list) VALUES (?, ?)').run(n, words.join(' '));
      sql(
        `INSERT INTO spans VALUES (?1, ?2, ?2)
         ON CONFLICT DO UPDATE SET oldest = min(oldest, ?2), newest = max(newest, ?2)
         WHERE ?2 < oldest OR ?2 > newest`,
      ).run(Math.floor(n / SPAN), ts);
      for (const word of new Set(words)) counts.set(word, (counts.get(word) ?? 0) + 1);
    }
    for (const [word, texts] of counts)
      sql('INSERT INTO lexicon VALUES (?1, ?2) ON CONFLICT DO UPDATE SET texts = texts + ?2').run(word, texts);
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
    const match = matchOf(wanted, wordsLike);
    const { after = Number.MIN_SAFE_INTEGER, before = Number.MAX_SAFE_INTEGER } = wanted;
    return findIn(ranges(wanted), Math.min(newest(), under - 1), limit, LOOK_MS, ({ from, to }, most) => {
      const rows = sql(
        `SELECT t.n, t.position, t.part FROM words CROSS JOIN texts t ON t.n = words.rowid
         WHERE words MATCH ? AND words.rowid >= ? AND words.rowid <= ? AND t.ts >= ? AND t.ts < ?
         ORDER BY words.rowid DESC LIMIT ?`,
        // Numbers are bound as floating point, and FTS5 would not use such a bound: it would walk from the newest on.
      ).all(match, BigInt(from), BigInt(to), after, before, most);
      return rows as never as readonly Found[];
    });
  }

  function wordsLike(beginning: string): readonly string[] {
    const rows = sql('SELECT word FROM lexicon WHERE word >= ? AND word < ? ORDER BY texts DESC, word LIMIT ?').all(
      beginning,
      beginning + LAST_LETTER,
      MOST_WORDS,
    );
    return rows.map(({ word }) => word as string);
  }

  function newest(): number {
    return Number(sql('SELECT ifnull(max(n), 0) AS n FROM texts').get()?.n);
  }

  function close() {
    lazily.clear();
    db?.close();
    db = undefined;
  }

  return {
    mark: () => mending(readMark),
    put: (from, to, texts) =>
      mending(() =>
        transaction(() => {
          if (!sameMark(from, readMark())) return false;
          add(texts);
          sql('INSERT OR REPLACE INTO mark VALUES (1, ?, ?, ?)').run(to.position, to.hash, to.version);
          return true;
        }),
      ),
    clear: () =>
      mending(() =>
        transaction(() => {
          sql(`INSERT INTO words (words) VALUES ('delete-all')`).run();
          for (const table of ['texts', 'spans', 'lexicon', 'mark']) sql(`DELETE FROM ${table}`).run();
        }),
      ),
    find: (wanted, under, limit) => mending(() => find(wanted, under, limit)),
    close,
  };
}

function open(path: string): DatabaseSync {
  const db = new DatabaseSync(path, { timeout: BUSY_MS });
  try {
    db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;');
    const version = Number(db.prepare('PRAGMA user_version').get()?.user_version);
    if (version > searchMigrations.length)
      throw Object.assign(new Error('It is of a newer Heddle.'), { errcode: SQLITE_NOTADB });
    if (version === searchMigrations.length) return db;
    db.exec('BEGIN IMMEDIATE');
    for (const migration of searchMigrations.slice(version)) db.exec(migration);
    db.exec(`PRAGMA user_version = ${searchMigrations.length}; COMMIT`);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
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

/** The store's own language, made of words that have no sign in them which means something in it. */
function matchOf({ all, any, none }: Wanted, wordsLike: (beginning: string) => readonly string[]): string {
  const lists = any.map((words) => oneOf(words.map((word) => [word])));
  const wish = [...all.map((term) => termOf(term, wordsLike)), ...lists].join(' AND ');
  // What must not be there is looked for among all words, however many begin so.
  const unwished = none.map(({ words, prefix }) => `${quoted(words)}${prefix ? '*' : ''}`);
  return unwished.length === 0 ? wish : `(${wish}) NOT (${unwished.join(' OR ')})`;
}

function termOf({ words, prefix }: Term, wordsLike: (beginning: string) => readonly string[]): string {
  if (!prefix) return quoted(words);
  const before = words.slice(0, -1);
  const found = wordsLike(words.at(-1) ?? '').map((word) => [...before, word]);
  return found.length === 0 ? quoted(words) : oneOf(found);
}

function oneOf(terms: readonly (readonly string[])[]): string {
  return `(${terms.map(quoted).join(' OR ')})`;
}

function quoted(words: readonly string[]): string {
  return `"${words.join(' ').replaceAll('"', '""')}"`;
}
