import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

test.each([
  ['heddle', '--version'],
  ['heddle', '-V'],
  ['mind', '--version'],
  ['logos', '--version'],
])('[I3] %s %s answers before anything else is loaded', (program, flag) => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
  const answer = execFileSync(process.execPath, [`bin/${program}.js`, flag], { encoding: 'utf8' });
  expect(answer).toBe(`${version}\n`);
});
