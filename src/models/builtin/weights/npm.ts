import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

const LOOK_EVERY_MS = 250;
/** npm itself would wait for minutes. */
const STALLED_MS = 30_000;

export interface NpmRun {
  /** What npm is to do; it does it in `directory`, and runs no script of any package. */
  readonly words: readonly string[];
  readonly directory: string;
  /** What people read when it fails. */
  readonly what: string;
  /** npm tells no progress, but it writes what it receives into its cache: how far it is, from there. */
  readonly measure: (cache: string) => number;
  readonly received: (bytes: number) => void;
  readonly stalledMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Has npm fetch something from whatever registry it is set to, with a cache of its own in the same directory. */
export async function runNpm({ words, directory, what, measure, received, stalledMs, signal }: NpmRun): Promise<void> {
  signal?.throwIfAborted();
  const cache = join(directory, 'npm');
  const quiet = ['--ignore-scripts', '--fetch-retries=1', '--fetch-retry-mintimeout=1000', '--loglevel=error'];
  const [command, ...first] = npmCommand();
  const npm = spawn(command as string, [...first, ...words, ...quiet, '--cache', cache], {
    cwd: directory,
    stdio: ['ignore', 'pipe', 'pipe'],
    shell: process.platform === 'win32',
  });
  const stop = () => void npm.kill();
  signal?.addEventListener('abort', stop, { once: true });
  const stall = { bytes: 0, since: performance.now(), found: false };
  const watch = setInterval(() => {
    const bytes = measure(cache);
    received(bytes);
    if (bytes !== stall.bytes) Object.assign(stall, { bytes, since: performance.now() });
    stall.found = performance.now() - stall.since > (stalledMs ?? STALLED_MS);
    if (stall.found) npm.kill();
  }, LOOK_EVERY_MS);
  try {
    const ended = new Promise<number | null>((resolve, reject) => {
      npm.on('error', reject);
      npm.on('close', resolve);
    });
    const [code, , errors] = await Promise.all([ended, text(npm.stdout), text(npm.stderr)]);
    signal?.throwIfAborted();
    if (stall.found) throw new Error(`npm could not fetch ${what}: nothing came from the registry for a while.`);
    if (code !== 0) throw new Error(`npm could not fetch ${what}: ${reasonIn(errors)}`);
  } finally {
    clearInterval(watch);
    signal?.removeEventListener('abort', stop);
    npm.kill();
  }
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
