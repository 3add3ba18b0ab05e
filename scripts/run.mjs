// node scripts/run.mjs [--built] FILE [ARGUMENTS]
// Runs FILE on the Node of the lock file, whatever Node started this: installs what is missing, and with --built brings dist/ up to date and
// the weights of the built-in models to this machine.
// Plain JavaScript without dependencies, because before the first install there is nothing else.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { handOver, isNewEnough } from '../bin/own-node.js';

const self = fileURLToPath(import.meta.url);
const words = process.argv.slice(2);

process.chdir(join(dirname(self), '..'));
if (!installed()) install();
if (isNewEnough) await run();
else if (!handOver(self, words)) {
  stop(
    `Heddle needs Node 24 or newer and this is Node ${process.versions.node}. npm could not install its own because install ` +
      'scripts are turned off: run `npm rebuild --ignore-scripts=false`, or install Node 24 yourself.',
  );
}

async function run() {
  if (words[0] === '--built') {
    words.shift();
    await build();
    await fetchWeights();
  }
  const [file = '', ...rest] = words;
  handOver(file, rest);
}

async function build() {
  const { staleTargets } = await import('./build.ts');
  if (staleTargets().length === 0) return;
  const { status } = spawnSync(process.execPath, ['scripts/build.ts'], { stdio: ['ignore', 2, 2] });
  if (status !== 0) stop('The build failed, see above.');
}

/** Whoever cannot reach the registry goes on without: then the built-in models say what they lack. */
async function fetchWeights() {
  const { weightsSeemPresent } = await import('./fetch-weights.ts');
  if (weightsSeemPresent()) return;
  spawnSync(process.execPath, ['scripts/fetch-weights.ts'], { stdio: ['ignore', 2, 2] });
}

/** Does node_modules hold what package-lock.json names? npm leaves its own record of what it installed. */
function installed() {
  const wanted = packagesIn('package-lock.json');
  const found = packagesIn('node_modules/.package-lock.json');
  if (!wanted || !found) return false;
  return Object.entries(wanted).every(([path, { version, integrity, optional, devOptional }]) => {
    if (path === '') return true;
    const there = found[path];
    if (!there) return Boolean(optional || devOptional);
    return there.version === version && there.integrity === integrity;
  });
}

/**
 * @param {string} file
 * @returns {Record<string, {version?: string, integrity?: string, optional?: boolean, devOptional?: boolean}> | undefined}
 */
function packagesIn(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages;
  } catch {
    return undefined;
  }
}

function install() {
  process.stderr.write('Installing what package-lock.json names (once, about a minute) …\n');
  const flags = ['ci', '--include=dev', '--include=optional', '--loglevel=error'];
  const npm = process.env.npm_execpath;
  const { status } = npm?.endsWith('.js')
    ? spawnSync(process.execPath, [npm, ...flags], { stdio: ['ignore', 2, 2] })
    : spawnSync('npm', flags, { stdio: ['ignore', 2, 2], shell: process.platform === 'win32' });
  if (status !== 0) stop('npm ci failed, see above. Check that the registry can be reached, then try again.');
}

/**
 * @param {string} sentence
 * @returns {never}
 */
function stop(sentence) {
  process.stderr.write(`${sentence}\n`);
  process.exit(1);
}
