import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

const POLL_MS = 250;
/** npm's own timeout is several minutes. */
const STALLED_MS = 30_000;

export interface NpmRun {
  /** npm's arguments; it runs in `directory`, without running any package script. */
  readonly args: readonly string[];
  readonly directory: string;
  /** The name shown when it fails. */
  readonly label: string;
  /** npm reports no progress but writes what it receives into its cache; this measures that. */
  readonly measure: (cache: string) => number;
  readonly onReceived: (bytes: number) => void;
  readonly stalledMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Runs npm with the registry it is configured for, and a separate cache in the same directory. */
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
    if (stall.found) throw new Error(`npm could not fetch ${label}: the registry did not answer for a while.`);
    if (code !== 0) throw new Error(`npm could not fetch ${label}: ${findReason(errors)}`);
  } finally {
    clearInterval(poll);
    signal?.removeEventListener('abort', killNpm);
    npm.kill();
  }
}

/** The npm that started this process, if any. */
function npmCommand(): readonly string[] {
  const script = process.env.npm_execpath;
  return script?.endsWith('.js') ? [process.execPath, script] : ['npm'];
}

/** npm's first meaningful line, without its prefixes. */
function findReason(errors: string): string {
  const lines = errors.split('\n').map((line) => line.replace(/^npm (error|ERR!) ?/, '').trim());
  return lines.find((line) => line !== '' && !line.startsWith('code ')) ?? 'it gave no reason.';
}
