import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freshPostgres } from '../../../test/support/stores/postgres-url.ts';
import { parseQuery } from '../../core/search/query.ts';
import type { EventLog } from '../event-log.ts';
import { openMemoryLog } from '../memory/memory-log.ts';
import { openPostgresLog } from '../postgres/postgres-log.ts';
import { openSqliteLog } from '../sqlite/sqlite-log.ts';
import { EMPTY_MARK, type IndexHit, type IndexQuery, type SearchIndex } from './search-index.ts';

const RUNS = Number(process.env.HEDDLE_FUZZ_RUNS ?? 40);
const LONG = 600_000;
/** Behind so many newer ones, texts are looked for in another way than among the newest. */
const FAR = 5_000;
const dir = mkdtempSync(join(tmpdir(), 'heddle-search-agree-'));
let logs: readonly EventLog[] = [];

beforeAll(async () => {
  logs = [openMemoryLog(), openSqliteLog(join(dir, 'heddle.db')), await openPostgresLog(await freshPostgres())];
});

afterAll(async () => {
  for (const log of logs) await log.close();
  rmSync(dir, { recursive: true, force: true });
});

/** Few words, so that they meet; and whatever else somebody may type or paste. */
const word = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom('sun', 'moon', 'moonlight', 'Sün', '世界', 'שלום', 'AND', 'NOT', 'NEAR') },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 6 }) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 6 }).map((text) => text.toWellFormed()) },
);
const text = fc.array(word, { maxLength: 12 }).map((words) => words.join(' '));
const sign = fc.constantFrom(
  '',
  '',
  '',
  '-',
  '"',
  '*',
  '(',
  ')',
  ':',
  '^',
  '+',
  "'",
  '\\',
  ' OR ',
  ' AND ',
  '{a b}:',
  '&',
  '|',
  '!',
  '<->',
);
const query = fc
  .array(fc.tuple(sign, word, sign), { minLength: 1, maxLength: 5 })
  .map((parts) => parts.map(([before, each, after]) => `${before}${each}${after}`).join(' '));

/** A look may end before it came to the end, when its time is over. */
async function findAll(search: SearchIndex, wanted: IndexQuery): Promise<readonly IndexHit[]> {
  const all: IndexHit[] = [];
  for (let under: number | undefined = 1e9; under !== undefined; ) {
    const { hits: found, reached } = await search.find(wanted, under, 100);
    all.push(...found);
    under = reached;
  }
  return all;
}

test(
  '[I30] any query gives the same results in every store and is never a syntax error',
  async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(text, { maxLength: 30 }),
        fc.array(query, { minLength: 1, maxLength: 10 }),
        fc.constantFrom(0, 0, 0, FAR),
        async (texts, queries, newer) => {
          const rows = [
            ...texts.map((text) => ({ facets: ['k¦any'], text })),
            ...Array.from({ length: newer }, () => ({ facets: ['k¦other'], text: 'moonlight' })),
          ].map((text, i) => ({ position: i + 1, part: 0, ts: i, ...text }));
          for (const { search } of logs) {
            await search.clear();
            await search.put(EMPTY_MARK, { position: rows.length + 1, hash: 'h', version: 1 }, rows);
          }
          for (const queryText of queries) {
            const indexQuery = { ...parseQuery(queryText), any: [['k¦any']] };
            const found: (readonly IndexHit[])[] = [];
            for (const { search } of logs) found.push(await findAll(search, indexQuery));
            expect(found[1], `SQLite: ${queryText}`).toEqual(found[0]);
            expect(found[2], `PostgreSQL: ${queryText}`).toEqual(found[0]);
          }
        },
      ),
      { numRuns: RUNS },
    );
  },
  LONG,
);
