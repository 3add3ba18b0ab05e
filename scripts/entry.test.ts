import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

test.each(['--version', '-V'])('[I3] heddle %s answers before anything else is loaded', (flag) => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
  const answer = execFileSync(process.execPath, ['bin/heddle.js', flag], { encoding: 'utf8' });
  expect(answer).toBe(`${version}\n`);
});
