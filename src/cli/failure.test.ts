import { closeSync, mkdtempSync, openSync, rmSync, statSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { entry } from '../log/contract/support.ts';
import { openSqliteLog } from '../log/sqlite/sqlite-log.ts';
import { errorReportOf } from './failure.ts';

test('[L16] a command that reads a damaged page says so in a sentence, not with a stack', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'heddle-damaged-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const path = join(directory, 'heddle.db');
  const whole = openSqliteLog(path);
  await whole.append(Array.from({ length: 100 }, (_, i) => entry(`thread${i}`)));
  await whole.close();
  const file = openSync(path, 'r+');
  const rest = statSync(path).size - 4096;
  writeSync(file, Buffer.alloc(rest, 0xa5), 0, rest, 4096);
  closeSync(file);
  const damaged = openSqliteLog(path, { readOnly: true });
  const error = await damaged.readAll(0, 100).catch((thrown: unknown) => thrown);
  expect(errorReportOf(error)).toMatchObject({ code: 'store_unavailable', exit: 1 });
  expect(errorReportOf(error).message).toMatch(/^The database is damaged .*"heddle restore"/);
  await damaged.close();
});
