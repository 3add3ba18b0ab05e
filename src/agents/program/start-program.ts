import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import type { SandboxMode } from '../../models/registry/schema.ts';
import { bwrapArgs } from './bwrap.ts';
import { findProgram } from './find-program.ts';
import { descendantsOf, killMarked, MARK_VARIABLE, newMark, sendSignal, signalGroup } from './process-tree.ts';
import { detectSandbox, forgetProbe } from './sandbox.ts';

/** All options of a program that Heddle starts. There is no other way to start one for an agent (I10). */
export interface ProgramOptions {
  /** The arguments, not parsed by a shell. Anybody on the machine can read them, so none may be secret. */
  readonly command: readonly string[];
  /** The working directory, which is writable. */
  readonly cwd: string;
  /** The program's complete environment. */
  readonly env: Readonly<Record<string, string>>;
  /** In a sandbox: paths it may read that would be hidden otherwise. */
  readonly readable?: readonly string[];
  /** In a sandbox: paths it may write besides its directory. A missing one is created as a directory. */
  readonly writable?: readonly string[];
  readonly hidden?: readonly string[];
  readonly sandbox?: SandboxMode;
  readonly signal?: AbortSignal;
}

export interface StartedProgram {
  readonly process: ChildProcessWithoutNullStreams;
  readonly sandbox: 'bwrap' | 'directory';
  /** Asks the program to exit, and a little later kills it with everything it started. */
  stop(): void;
}

export const GRACE_MS = 2_000;

/** Kill functions of the running programs, called when this process exits for any reason short of SIGKILL. */
const activeKills = new Set<() => void>();
process.on('exit', () => {
  for (const kill of activeKills) kill();
});

/**
 * Starts a program in its own process group; rejects if it cannot start. When the program exits or is stopped, every
 * process it started ends with it.
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
    // The sandbox has not started yet.
    if (pids.length === 0) kill();
  }

  function kill() {
    const { pid } = child;
    if (pid === undefined || hasExited) return;
    const descendants = descendantsOf(pid);
    signalGroup(pid, 'SIGKILL');
    for (const each of descendants) sendSignal(each, 'SIGKILL');
    killMarked(mark);
    // A process that we did not find may keep the output open. It must not block us.
    timers.push(setTimeout(() => closeStreams(child), GRACE_MS));
  }

  // A program may exit without reading its input; that is not an error.
  child.stdin.on('error', () => {});
  // Once the program exits, end everything it left running.
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
  // Fail here: bwrap would report a missing program in its own words.
  if (findProgram(program, env.PATH) === undefined)
    throw Object.assign(new Error(`${name} is missing`), { code: 'ENOENT' });
  const view = { cwd, home: env.HOME, path: env.PATH, readable: [...readable, ...command], writable, hidden };
  for (const path of writable) mkdirQuietly(path);
  // The sandbox has its own directory for temporary files.
  const { TMPDIR: _, ...sandboxEnv } = env;
  return spawn(findProgram('bwrap') ?? 'bwrap', [...bwrapArgs(view), ...command], { env: sandboxEnv, detached: true });
}

/** Ignores failures: the program itself will report what it misses. */
function mkdirQuietly(path: string): void {
  try {
    if (!existsSync(path)) mkdirSync(path, { recursive: true, mode: 0o700 });
  } catch {}
}

/** The processes inside the sandbox. The sandbox itself is two more, which exit after them. */
function sandboxedPids({ pid }: ChildProcessWithoutNullStreams): readonly number[] {
  return pid === undefined ? [] : descendantsOf(pid).slice(1);
}

function closeStreams({ stdin, stdout, stderr }: ChildProcessWithoutNullStreams) {
  for (const stream of [stdin, stdout, stderr]) stream.destroy();
}
