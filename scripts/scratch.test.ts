import { existsSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openScratch } from './scratch.ts';

test('what a killed run of the tests left behind is removed by the next, and nothing else', () => {
  const base = mkdtempSync(join(tmpdir(), 'heddle-scratch-'));
  const [dead, other] = [join(base, 'heddle-tests-999999999'), join(base, 'heddle-tests-of-mine')];
  for (const path of [dead, other]) mkdirSync(path);
  writeFileSync(join(dead, 'log.db'), 'x');
  const { path, remove } = openScratch(base);
  expect([existsSync(dead), existsSync(other), existsSync(path)]).toEqual([false, true, true]);
  remove();
  expect(existsSync(path)).toBe(false);
});
