import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { workspace } from '../src/core/workspace.ts';
import { createStates } from '../src/engine/states.ts';
import { importFile } from '../src/formats/import/import-file.ts';
import { openMemoryLog } from '../src/log/memory/memory-log.ts';
import { asShownNow, viewsOf } from './support/stores/log-views.ts';

const LOGS = join(import.meta.dirname, 'logs');

/** Logs written by earlier versions, with the states they had then or what people saw of them. A file here is never changed. */
const versions = readdirSync(LOGS)
  .filter((name) => name.endsWith('.jsonl'))
  .map((name) => name.replace('.jsonl', ''));

const withStates = versions.filter((version) => existsSync(join(LOGS, `${version}.states.json`)));
const withViews = versions.filter((version) => existsSync(join(LOGS, `${version}.views.json`)));

test('[L1] every log of an earlier version says what it meant', () => {
  expect(new Set([...withStates, ...withViews])).toEqual(new Set(versions));
});

test.each(withStates)('[L1] [L3] the log of %s still reads, proves and folds to what it meant', async (version) => {
  const states = createStates(await logOf(version), workspace);
  for (const [thread, state] of Object.entries(then(version, 'states'))) {
    expect((await states.load(thread))?.state.thread).toMatchObject(state as object);
  }
});

test.each(withViews)('[L1] [L3] the log of %s still shows people what they saw then', async (version) => {
  expect(await viewsOf(await logOf(version))).toEqual(asShownNow(then(version, 'views')));
});

async function logOf(version: string) {
  const log = openMemoryLog();
  const { report } = await importFile(log, join(LOGS, `${version}.jsonl`));
  expect(report.dropped).toEqual([]);
  return log;
}

function then(version: string, what: 'states' | 'views'): object {
  return JSON.parse(readFileSync(join(LOGS, `${version}.${what}.json`), 'utf8'));
}
