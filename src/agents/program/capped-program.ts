import type { Writable } from 'node:stream';
import type { Circumstances } from '../agent.ts';
import { GRACE_MS, startProgram } from './start-program.ts';

/** A program to run for an agent: never by a shell, never with all of our environment. */
export interface Program {
  readonly command: readonly string[];
  /** Names of our own variables that it may see, besides the few every program needs. */
  readonly environment: readonly string[];
  /** In a sandbox: what it may read and write besides its directory. */
  readonly readable?: readonly string[];
  readonly writable?: readonly string[];
}

export interface Ended {
  /** The end of what it complained about. */
  readonly stderr: string;
  readonly code: number | null;
  /** Why it was ended, where we ended it. */
  readonly why?: Why;
}

export type Why = 'time' | 'output' | 'unreadable' | 'cancelled' | 'done';

export interface Running {
  readonly stdin: Writable;
  readonly ended: Promise<Ended>;
  /** We need no more of it: it may put away what it has, and is then ended. */
  finish(): void;
}

const ALWAYS = ['PATH', 'HOME', 'USER', 'LANG', 'LC_ALL', 'TERM', 'TMPDIR', 'SHELL'];
/** The server's own, which is the human's: not even where it is named. */
const NEVER = ['HEDDLE_TOKEN'];
const LAST_WORDS = 4 * 1024;

/**
 * Starts it and holds it to its time and to so much output (I10); rejected where it cannot be started. Whatever it does,
 * `ended` comes: soon after it exits, or after we ended it.
 */
export async function startCapped(
  program: Program,
  { directory: cwd, caps, signal, hidden, sandbox }: Circumstances,
  onOutput: (chunk: Buffer) => void,
): Promise<Running> {
  const { command, environment, readable: see, writable } = program;
  const { process: child, stop } = await startProgram({
    command,
    cwd,
    env: environmentOf(environment),
    ...(see && { readable: see }),
    ...(writable && { writable }),
    ...(hidden && { hidden }),
    ...(sandbox && { sandbox }),
  });
  const { promise: ended, resolve } = Promise.withResolvers<Ended>();
  let why: Why | undefined;
  let lastWords = Buffer.alloc(0);
  let written = 0;
  const timers = [setTimeout(() => end('time'), caps.seconds * 1000)];
  const cancel = () => end('cancelled');
  signal?.addEventListener('abort', cancel);
  if (signal?.aborted) cancel();

  function end(reason: Why) {
    if (why) return;
    why = reason;
    stop();
    if (reason !== 'output' && reason !== 'unreadable') return;
    // What it writes from here on is not even read.
    child.stdout.destroy();
    child.stderr.destroy();
  }

  function count(bytes: number) {
    written += bytes;
    if (written > caps.bytes) end('output');
  }

  child.stdout.on('data', (chunk: Buffer) => {
    const room = caps.bytes - written;
    try {
      if (room > 0 && why !== 'unreadable') onOutput(chunk.subarray(0, room));
    } catch {
      end('unreadable');
    }
    count(chunk.length);
  });
  child.stderr.on('data', (chunk: Buffer) => {
    lastWords = Buffer.concat([lastWords, chunk]).subarray(-LAST_WORDS);
    count(chunk.length);
  });
  child.on('error', () => {});
  child.on('close', (code) => {
    for (const timer of timers) clearTimeout(timer);
    signal?.removeEventListener('abort', cancel);
    resolve({ stderr: readable(lastWords.toString('utf8')), code, ...(why && { why }) });
  });

  function finish() {
    child.stdin.end();
    timers.push(setTimeout(() => end('done'), GRACE_MS));
  }

  return { stdin: child.stdin, ended, finish };
}

function environmentOf(names: readonly string[]): Record<string, string> {
  const seen = [...ALWAYS, ...names].flatMap((name) => {
    const value = process.env[name];
    return value === undefined || NEVER.includes(name) ? [] : [[name, value] as const];
  });
  return { ...Object.fromEntries(seen), NO_COLOR: '1' };
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is taken out
const ESCAPES = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[@-Z\\-_])/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is taken out
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

/** Text as an event may hold it: colours and other orders to a terminal are no text. */
export function readable(text: string): string {
  return text.toWellFormed().replace(ESCAPES, '').replaceAll('\r\n', '\n').replace(CONTROLS, '');
}
