import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

const POLL_MS = 250;
/** npm itself would wait for minutes. */
const STALLED_MS = 30_000;

export interface NpmRun {
  /** What npm is to do; it does it in `directory`, and runs no script of any package. */
  readonly args: readonly string[];
  readonly directory: string;
  /** What people read when it fails. */
  readonly label: string;
  /** npm tells no progress, but it writes what it receives into its cache: how far it is, from there. */
  readonly measure: (cache: string) => number;
  readonly onReceived: (bytes: number) => void;
  readonly stalledMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Has npm fetch something from whatever registry it is set to, with a cache of its own in the same directory. */
export async function runNpm({
  args,
  directory,
  label,
  measure,
  onReceived,
  stalledMs,
  signal,
}: NpmRun): Promise<void> {
  signal?.throwIfAborted();
  const cache = join(directory, 'npm');
  const npmFlags = ['--ignore-scripts', '--fetch-retries=1', '--fetch-retry-mintimeout=1000', '--loglevel=error'];
  const [command, ...commandArgs] = npmCommand();
  const npm = spawn(command as string, [...commandArgs, ...args, ...npmFlags, '--cache', cache], {
    cwd: directory,
    stdio: ['ignore', 'pipe', 'pipe'],
    shell: process.platform === 'win32',
  });
  const killNpm = () => void npm.kill();
  signal?.addEventListener('abort', killNpm, { once: true });
  const stall = { bytes: 0, since: performance.now(), found: false };
  const poll = setInterval(() => {
    const bytes = measure(cache);
    onReceived(bytes);
    if (bytes !== stall.bytes) Object.assign(stall, { bytes, since: performance.now() });
    stall.found = performance.now() - stall.since > (stalledMs ?? STALLED_MS);
    if (stall.found) npm.kill();
  }, POLL_MS);
  try {
    const exited = new Promise<number | null>((resolve, reject) => {
      npm.on('error', reject);
      npm.on('close', resolve);
    });
    const [code, , errors] = await Promise.all([exited, text(npm.stdout), text(npm.stderr)]);
    signal?.throwIfAborted();
    if (stall.found) throw new Error(`npm could not fetch ${label}: nothing came from the registry for a while.`);
    if (code !== 0) throw new Error(`npm could not fetch ${label}: ${findReason(errors)}`);
  } finally {
    clearInterval(poll);
    signal?.removeEventListener('abort', killNpm);
    npm.kill();
  }
}

/** The npm that started us, if one did. */
function npmCommand(): readonly string[] {
  const script = process.env.npm_execpath;
  return script?.endsWith('.js') ? [process.execPath, script] : ['npm'];
}

/** npm's first line that says something, without its prefixes. */
function findReason(errors: string): string {
  const lines = errors.split('\n').map((line) => line.replace(/^npm (error|ERR!) ?/, '').trim());
  return lines.find((line) => line !== '' && !line.startsWith('code ')) ?? 'it gave no reason.';
}
