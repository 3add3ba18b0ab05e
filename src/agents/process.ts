import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import type { Writable } from 'node:stream';
import type { Circumstances } from './agent.ts';

/** A program to run for an agent: never by a shell, never with all of our environment. */
export interface Program {
  readonly command: readonly string[];
  /** Names of our own variables that it may see, besides the few every program needs. */
  readonly environment: readonly string[];
}

export interface Ended {
  /** The end of what it complained about. */
  readonly stderr: string;
  readonly code: number | null;
  /** Why it was ended, where we ended it. */
  readonly why?: Why;
}

export type Why = 'time' | 'output' | 'cancelled' | 'done';

export interface Running {
  readonly stdin: Writable;
  /** Rejected where it could not be started. */
  readonly ended: Promise<Ended>;
  /** We need no more of it: it may put away what it has, and is then ended. */
  finish(): void;
}

const ALWAYS = ['PATH', 'HOME', 'USER', 'LANG', 'LC_ALL', 'TERM', 'TMPDIR', 'SHELL'];
const GRACE_MS = 2_000;
const LAST_WORDS = 4 * 1024;

/**
 * Starts it in a group of its own, so that all it forks ends with it, within time and output (I10). Whatever it does,
 * `ended` comes: soon after it exits, or after we ended it.
 */
export function startProgram(
  { command, environment }: Program,
  { directory, caps, signal }: Circumstances,
  hear: (chunk: Buffer) => void,
): Running {
  const [name, ...args] = command as [string, ...string[]];
  const child = spawn(name, args, { cwd: directory, env: environmentOf(environment), detached: true });
  const { promise: ended, resolve, reject } = Promise.withResolvers<Ended>();
  let why: Why | undefined;
  let stderr = '';
  let written = 0;
  const timers = [setTimeout(() => end('time'), caps.seconds * 1000)];
  const cancel = () => end('cancelled');
  signal?.addEventListener('abort', cancel);
  if (signal?.aborted) cancel();

  function end(reason: Why) {
    if (why) return;
    why = reason;
    killGroup(child, 'SIGTERM');
    timers.push(setTimeout(() => killGroup(child, 'SIGKILL'), GRACE_MS));
    letGo();
  }

  /** Whoever holds its output open without being in its group must not hold us. */
  function letGo() {
    timers.push(setTimeout(() => closeStreams(child), 2 * GRACE_MS));
  }

  function count(bytes: number) {
    written += bytes;
    if (written > caps.bytes) end('output');
  }

  child.stdout.on('data', (chunk: Buffer) => {
    const room = caps.bytes - written;
    if (room > 0) hear(chunk.subarray(0, room));
    count(chunk.length);
  });
  child.stderr.on('data', (chunk: Buffer) => {
    stderr = (stderr + chunk.toString('utf8')).slice(-LAST_WORDS);
    count(chunk.length);
  });
  child.stdin.on('error', () => {});
  child.on('exit', () => {
    // One that is done has nothing left to do: what it left running in its group ends, too.
    killGroup(child, 'SIGKILL');
    letGo();
  });
  child.on('error', (error) => {
    stop();
    reject(error);
  });
  child.on('close', (code) => {
    stop();
    resolve({ stderr: readable(stderr), code, ...(why && { why }) });
  });

  function stop() {
    for (const timer of timers) clearTimeout(timer);
    signal?.removeEventListener('abort', cancel);
  }

  function finish() {
    child.stdin.end();
    timers.push(setTimeout(() => end('done'), GRACE_MS));
  }

  return { stdin: child.stdin, ended, finish };
}

function environmentOf(names: readonly string[]): NodeJS.ProcessEnv {
  const seen = [...ALWAYS, ...names].flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return { ...Object.fromEntries(seen), NO_COLOR: '1' };
}

function killGroup({ pid }: ChildProcessWithoutNullStreams, signal: NodeJS.Signals) {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch {
    // Nobody is left in it.
  }
}

function closeStreams({ stdin, stdout, stderr }: ChildProcessWithoutNullStreams) {
  for (const stream of [stdin, stdout, stderr]) stream.destroy();
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is taken out
const ESCAPES = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[@-Z\\-_])/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is taken out
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

/** Text as an event may hold it: colours and other orders to a terminal are no text. */
export function readable(text: string): string {
  return text.toWellFormed().replace(ESCAPES, '').replaceAll('\r\n', '\n').replace(CONTROLS, '');
}
