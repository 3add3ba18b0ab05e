import type { LogCheck } from '../log-check.ts';
import { sqliteMigrations } from '../migrations/sqlite.ts';
import { openDatabase } from './open-database.ts';

const MAX_FINDINGS = 5;

export function checkSqlite(path: string): LogCheck {
  const db = openDatabase(path, { readOnly: true });
  const readValue = (sql: string) => Object.values(db.prepare(sql).get() ?? {})[0];
  try {
    return {
      store: `SQLite ${readValue('SELECT sqlite_version()')}`,
      version: Number(readValue('PRAGMA user_version')),
      current: sqliteMigrations.length,
      damage: damageIn(() => db.prepare(`PRAGMA quick_check(${MAX_FINDINGS})`).all()),
      weaknesses: [],
    };
  } finally {
    db.close();
  }
}

/** Damage may be so deep that the check itself fails. */
function damageIn(check: () => readonly object[]): readonly string[] {
  try {
    return check()
      .map((row) => String(Object.values(row)[0]))
      .filter((line) => line !== 'ok');
  } catch (error) {
    return [(error as Error).message];
  }
}
