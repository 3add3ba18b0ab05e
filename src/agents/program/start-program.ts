import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import type { SandboxMode } from '../../models/registry/schema.ts';
import { bwrapArgs } from './bwrap.ts';
import { findProgram } from './find-program.ts';
import { descendantsOf, killMarked, MARK_VARIABLE, newMark, sendSignal, signalGroup } from './process-tree.ts';
import { detectSandbox, forgetProbe } from './sandbox.ts';

/** Everything there is to say of a program that Heddle starts: there is no other way to start one for an agent (I10). */
export interface ProgramOptions {
  /** One word each; no shell reads them. Anybody on the machine can, so none of them is secret. */
  readonly command: readonly string[];
  /** Where it works, and may write. */
  readonly cwd: string;
  /** All of its environment. */
  readonly env: Readonly<Record<string, string>>;
  /** In a sandbox: what it may read of what is hidden otherwise. */
  readonly readable?: readonly string[];
  /** In a sandbox: where it may write besides its directory; a directory is made where nothing is. */
  readonly writable?: readonly string[];
  /** In a sandbox: directories and files it must not see. */
  readonly hidden?: readonly string[];
  readonly sandbox?: SandboxMode;
  /** Stops it. */
  readonly signal?: AbortSignal;
}

export interface StartedProgram {
  readonly process: ChildProcessWithoutNullStreams;
  readonly sandbox: 'bwrap' | 'directory';
  /** Asks it to end, and a little later ends it with everything it started. */
  stop(): void;
}

export const GRACE_MS = 2_000;

/** What runs now: whatever ends this process, short of a kill, ends it too. */
const activeKills = new Set<() => void>();
process.on('exit', () => {
  for (const kill of activeKills) kill();
});

/**
 * Starts it in a process group of its own; rejected where it cannot be started. When it ends or is stopped, all that it
 * started ends with it.
 */
export async function startProgram(options: ProgramOptions): Promise<StartedProgram> {
  const { command, cwd, signal } = options;
  const { kind, reason, todo } = await detectSandbox(options.sandbox);
  if (kind === 'refused') throw new Error([reason, todo ?? '', 'Or set "sandbox: auto" in heddle.yaml.'].join(' '));
  const mark = newMark();
  const env = { ...options.env, [MARK_VARIABLE]: mark };
  const child =
    kind === 'bwrap'
      ? spawnInSandbox(options, env)
      : spawn(command[0] as string, command.slice(1), { cwd, env, detached: true });
  const timers: NodeJS.Timeout[] = [];
  let hasExited = false;

  function stop() {
    if (timers.length > 0) return;
    timers.push(setTimeout(kill, GRACE_MS));
    if (kind === 'directory') return signalGroup(child.pid as number, 'SIGTERM');
    const pids = sandboxedPids(child);
    for (const pid of pids) sendSignal(pid, 'SIGTERM');
    // The sandbox is not even made yet.
    if (pids.length === 0) kill();
  }

  function kill() {
    const { pid } = child;
    if (pid === undefined || hasExited) return;
    const descendants = descendantsOf(pid);
    signalGroup(pid, 'SIGKILL');
    for (const each of descendants) sendSignal(each, 'SIGKILL');
    killMarked(mark);
    // A process that holds its output open and was not found must not hold us.
    timers.push(setTimeout(() => closeStreams(child), GRACE_MS));
  }

  // One that ends without reading what it is told is no fault of ours.
  child.stdin.on('error', () => {});
  // One that is done has nothing left to do: what it left running ends, too.
  child.on('exit', () => {
    kill();
    hasExited = true;
  });
  activeKills.add(kill);
  child.on('close', () => {
    activeKills.delete(kill);
    for (const timer of timers) clearTimeout(timer);
    signal?.removeEventListener('abort', stop);
  });
  await once(child, 'spawn').catch((error) => {
    activeKills.delete(kill);
    if (kind === 'directory') throw error;
    forgetProbe();
    throw new Error(`its sandbox did not start (${error.message})`);
  });
  signal?.addEventListener('abort', stop);
  if (signal?.aborted) stop();
  return { process: child, sandbox: kind, stop };
}

function spawnInSandbox(
  { command, cwd, readable = [], writable = [], hidden = [] }: ProgramOptions,
  env: Record<string, string>,
) {
  const [name = ''] = command;
  const program = name.includes('/') && !isAbsolute(name) ? join(cwd, name) : name;
  // The sandbox would say so in its own words.
  if (findProgram(program, env.PATH) === undefined)
    throw Object.assign(new Error(`${name} is missing`), { code: 'ENOENT' });
  const view = { cwd, home: env.HOME, path: env.PATH, readable: [...readable, ...command], writable, hidden };
  for (const path of writable) mkdirQuietly(path);
  // The directory for temporary files is one of its own.
  const { TMPDIR: _, ...sandboxEnv } = env;
  return spawn(findProgram('bwrap') ?? 'bwrap', [...bwrapArgs(view), ...command], { env: sandboxEnv, detached: true });
}

/** Where it cannot be made, the program says itself what it misses. */
function mkdirQuietly(path: string): void {
  try {
    if (!existsSync(path)) mkdirSync(path, { recursive: true, mode: 0o700 });
  } catch {}
}

/** Those in the sandbox; the sandbox itself is two processes, and goes when they have gone. */
function sandboxedPids({ pid }: ChildProcessWithoutNullStreams): readonly number[] {
  return pid === undefined ? [] : descendantsOf(pid).slice(1);
}

function closeStreams({ stdin, stdout, stderr }: ChildProcessWithoutNullStreams) {
  for (const stream of [stdin, stdout, stderr]) stream.destroy();
}
