// `npm run installs`: installs the clone's packages for every platform, for real, each into a directory of its own.
import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type LockedPackages, PLATFORMS, type Platform, packagesFor } from './lock.ts';

const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as { packages: LockedPackages };
const failed = PLATFORMS.filter((platform) => !installFor(platform)).length;
console.log(`${PLATFORMS.length - failed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;

function installFor(platform: Platform): boolean {
  const { os, cpu } = platform;
  const directory = mkdtempSync(join(tmpdir(), `heddle-install-${os}-${cpu}-`));
  const start = performance.now();
  try {
    for (const file of ['package.json', 'package-lock.json', '.npmrc']) copyFileSync(file, join(directory, file));
    const flags = ['ci', '--ignore-scripts', '--loglevel=error', `--os=${os}`, `--cpu=${cpu}`];
    const { status } = spawnSync('npm', flags, {
      cwd: directory,
      stdio: ['ignore', 'ignore', 'inherit'],
      shell: process.platform === 'win32',
    });
    // On Linux npm leaves out what is built for the other C library than that of the machine it runs on.
    const wanted = packagesFor(platform, packages).filter((path) => !path.endsWith('-musl'));
    const missing = status === 0 ? wanted.filter((path) => !existsSync(join(directory, path))) : wanted;
    const seconds = ((performance.now() - start) / 1000).toFixed(1);
    console.log(
      `${missing.length === 0 ? '✓' : '✗'} ${os} ${cpu}: ${wanted.length} packages of its own (${seconds} s)`,
    );
    for (const path of missing) console.log(`  ${path} was not installed.`);
    return missing.length === 0;
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
