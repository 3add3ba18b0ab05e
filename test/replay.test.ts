import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { workspace } from '../src/core/workspace.ts';
import { createStates } from '../src/engine/states.ts';
import { importFile } from '../src/formats/import/import-file.ts';
import { openMemoryLog } from '../src/log/memory/memory-log.ts';

const LOGS = join(import.meta.dirname, 'logs');

/** Logs written by released versions, and the states they had then. A file here is never changed. */
const versions = readdirSync(LOGS)
  .filter((name) => name.endsWith('.jsonl'))
  .map((name) => name.replace('.jsonl', ''));

test.each(versions)('[L1] [L3] the log of %s still reads, proves and folds to what it meant', async (version) => {
  const log = openMemoryLog();
  const { report } = await importFile(log, join(LOGS, `${version}.jsonl`));
  expect(report.dropped).toEqual([]);
  const states = createStates(log, workspace);
  const then = JSON.parse(readFileSync(join(LOGS, `${version}.states.json`), 'utf8'));
  for (const [thread, state] of Object.entries(then)) {
    expect((await states.load(thread))?.state.thread).toMatchObject(state as object);
  }
});
