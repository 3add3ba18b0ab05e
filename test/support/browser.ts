// A real Chromium for the tests of the page: found, or installed where we may, or asked for in one sentence.
import { spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';

/** A shell without a window first: the others draw one around every page, at half a second of work or more each. */
const NAMES = [
  'chromium-headless-shell',
  'chrome-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
];
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
  `--disable-features=${unwanted().join(',')}`,
];

/** Vitest calls this once before the browser tests, so that an installation meets no test's time limit. */
export function setup(): void {
  if (!process.env.HEDDLE_BROWSER && !present() && mayInstall()) installChromium();
}

/** Chromium heeds one such list only, so what Playwright leaves out for us stands here beside what we leave out. */
function unwanted(): readonly string[] {
  // The field for addresses is a page of its own in every window, and nobody sees it.
  const addresses = ['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup'];
  const calls = ['OptimizationHints', 'NetworkTimeServiceQuerying', 'AimEnabled', 'PreconnectToSearch', 'MediaRouter'];
  const detours = ['HttpsUpgrades', 'HttpsFirstBalancedModeAutoEnable', 'AvoidCorsURLLoaderRestartOnRedirect'];
  const surprises = ['PaintHolding', 'AvoidUnnecessaryBeforeUnloadCheckSync', 'ThirdPartyStoragePartitioning'];
  return [...addresses, ...calls, ...detours, ...surprises, 'LensOverlay', 'DestroyProfileOnBrowserClose'];
}

export function launchBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: findBrowser(), args: browserArguments() });
}

export function browserArguments(): string[] {
  return isRoot() ? ['--no-sandbox', ...QUIET] : QUIET;
}

export function findBrowser(): string {
  const configured = process.env.HEDDLE_BROWSER;
  if (configured && !isProgram(configured)) {
    throw new Error(
      `HEDDLE_BROWSER is ${configured}, which is not a program: set it to the path of a Chromium or Chrome.`,
    );
  }
  const found = configured || present();
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
  const apt = (...words: string[]) => spawnSync('apt-get', ['-qq', ...words], { env, stdio: ['ignore', 'ignore', 2] });
  apt('update');
  // Not every Debian has the shell as a package of its own.
  for (const browser of ['chromium-headless-shell', 'chromium']) {
    if (!present()) apt('install', '--yes', '--no-install-recommends', browser, 'fonts-dejavu-core');
  }
}
