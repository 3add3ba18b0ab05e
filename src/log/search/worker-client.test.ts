import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { StoreUnavailable } from '../event-log.ts';
import { EMPTY_MARK } from './search-index.ts';
import { createWorkerSearch } from './worker-client.ts';

const MARK = { position: 1, hash: 'h', version: 1 };
const LONG = Array.from({ length: 20_000 }, (_, i) => `word${i}`).join(' ');

function openThread(...path: readonly string[]) {
  const directory = mkdtempSync(join(tmpdir(), 'heddle-search-'));
  const search = createWorkerSearch(join(directory, ...path, 'heddle.search.db'));
  onTestFinished(async () => {
    await search.close();
    rmSync(directory, { recursive: true, force: true });
  });
  return search;
}

const queryFor = (word: string) => ({ all: [{ words: [word] }], any: [], none: [] });

test('[T23] other requests are served while a long text is indexed', async () => {
  const search = openThread();
  // Once it runs, only the work itself takes time.
  await search.mark();
  let isOver = false;
  const put = search.put(EMPTY_MARK, MARK, [{ position: 1, part: 0, ts: 0, facets: [], text: LONG }]).finally(() => {
    isOver = true;
  });
  let turns = 0;
  while (!isOver) {
    await nextTurn();
    turns++;
  }
  expect(await put).toBe(true);
  expect(turns).toBeGreaterThan(1);
  expect((await search.find(queryFor('word19999'), Number.MAX_SAFE_INTEGER, 1)).hits).toHaveLength(1);
});

test('[L14] an index that cannot be opened says so from its worker thread', async () => {
  const search = openThread('missing');
  await expect(search.mark()).rejects.toThrow(StoreUnavailable);
  await expect(search.mark()).rejects.toThrow(/cannot be opened\. Check the permissions/);
});

test('[L14] a closed index is reopened when it is used again', async () => {
  const search = openThread();
  await search.put(EMPTY_MARK, MARK, [{ position: 1, part: 0, ts: 0, facets: ['k'], text: 'heron' }]);
  await search.close();
  expect(await search.mark()).toEqual(MARK);
});
