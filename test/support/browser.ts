// A real Chromium for the tests of the page: found, or installed where we may, or asked for in one sentence.
import { spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const MAC = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];
const QUIET = [
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Vitest calls this once before the browser tests, so that an installation meets no test's time limit. */
export function setup(): void {
  if (!process.env.HEDDLE_BROWSER && !present() && mayInstall()) installChromium();
}

export function launchBrowser(): Promise<Browser> {
  const args = isRoot() ? ['--no-sandbox', ...QUIET] : QUIET;
  return chromium.launch({ executablePath: findBrowser(), args });
}

function findBrowser(): string {
  const asked = process.env.HEDDLE_BROWSER;
  if (asked && !isProgram(asked)) {
    throw new Error(`HEDDLE_BROWSER is ${asked}, which is not a program: set it to the path of a Chromium or Chrome.`);
  }
  const found = asked || present();
  if (found) return found;
  throw new Error(
    'The tests of the page need a browser: install Chromium or Chrome (on Debian: apt-get install chromium), or set HEDDLE_BROWSER to the path of one.',
  );
}

function present(): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter);
  return [...NAMES.flatMap((name) => folders.map((folder) => join(folder, name))), ...MAC].find(isProgram);
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function mayInstall(): boolean {
  return isRoot() && isProgram('/usr/bin/apt-get');
}

function isRoot(): boolean {
  return process.getuid?.() === 0;
}

function installChromium(): void {
  process.stderr.write("Installing Debian's chromium for the tests of the page (once) …\n");
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  for (const words of [['update'], ['install', '--yes', '--no-install-recommends', 'chromium', 'fonts-dejavu-core']]) {
    spawnSync('apt-get', ['-qq', ...words], { env, stdio: ['ignore', 'ignore', 2] });
  }
}
