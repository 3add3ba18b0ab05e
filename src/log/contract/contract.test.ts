import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, onTestFinished } from 'vitest';
import { freshPostgres } from '../../../test/support/stores/postgres-url.ts';
import { openMemoryLog } from '../memory/memory-log.ts';
import { openPostgresLog } from '../postgres/postgres-log.ts';
import type { SqliteOptions } from '../sqlite/open-database.ts';
import { openSqliteLog } from '../sqlite/sqlite-log.ts';
import { logContract } from './contract.ts';
import { searchContract } from './search.ts';
import type { TestStore } from './support.ts';

logContract('memory', async () => {
  const log = openMemoryLog();
  return { open: async () => log };
});

logContract('SQLite', async () => newFile());

logContract('PostgreSQL', async () => {
  const url = await freshPostgres();
  return { open: () => openPostgresLog(url) };
});

describe('the index of words on a thread', () => searchContract(async () => newFile({ isOwner: true })));

function newFile(options: SqliteOptions = {}): TestStore {
  const dir = mkdtempSync(join(tmpdir(), 'heddle-contract-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return { open: async () => openSqliteLog(join(dir, 'heddle.db'), options) };
}
