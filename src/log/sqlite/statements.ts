import type { DatabaseSync, StatementSync } from 'node:sqlite';

/** Prepares each statement of an open file once, and runs several of them in a transaction. */
export function createStatements(db: DatabaseSync) {
  const cache = new Map<string, StatementSync>();

  function sql(text: string): StatementSync {
    const cached = cache.get(text);
    if (cached) return cached;
    const statement = db.prepare(text);
    cache.set(text, statement);
    return statement;
  }

  function transaction<T>(work: () => T): T {
    sql('BEGIN IMMEDIATE').run();
    try {
      const result = work();
      sql('COMMIT').run();
      return result;
    } catch (error) {
      if (db.isTransaction) sql('ROLLBACK').run();
      throw error;
    }
  }

  return { sql, transaction };
}

export type Statements = ReturnType<typeof createStatements>;
