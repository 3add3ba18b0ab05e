// package-lock.json fits package.json and has the packages of every platform.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { type LockedPackages, lockProblems, PLATFORMS } from './lock.ts';

const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as { packages: LockedPackages };
const problems = [...lockProblems(packages), ...refusals()];
for (const problem of problems) console.error(problem);
process.exitCode = problems.length > 0 ? 1 : 0;

/** What npm itself says against an install on each platform. Nothing is installed. */
function refusals(): readonly string[] {
  return PLATFORMS.flatMap(({ os, cpu }) => {
    const flags = [
      'ci',
      '--dry-run',
      '--ignore-scripts',
      '--offline',
      '--loglevel=error',
      `--os=${os}`,
      `--cpu=${cpu}`,
    ];
    const { status, stderr } = spawnSync('npm', flags, { encoding: 'utf8', shell: process.platform === 'win32' });
    return status === 0 ? [] : [`npm ci on ${os} ${cpu}: ${stderr.trim()}`];
  });
}
