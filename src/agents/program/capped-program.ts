import type { Writable } from 'node:stream';
import type { AgentRunOptions } from '../agent.ts';
import { GRACE_MS, startProgram } from './start-program.ts';

/** A program to run for an agent. It never runs in a shell and never gets our whole environment. */
export interface AgentProgram {
  readonly command: readonly string[];
  /** Names of our environment variables that the program may see, besides the few every program needs. */
  readonly environment: readonly string[];
  /** In a sandbox: paths it may read or write besides its directory. */
  readonly readable?: readonly string[];
  readonly writable?: readonly string[];
}

export interface ProgramExit {
  /** The last part of its error output. */
  readonly stderr: string;
  readonly code: number | null;
  readonly endReason?: EndReason;
}

export type EndReason = 'time' | 'output' | 'unreadable' | 'cancelled' | 'done';

export interface RunningProgram {
  readonly stdin: Writable;
  readonly exit: Promise<ProgramExit>;
  /** Closes the program's input so that it can save its state and exit, and a little later ends it. */
  finish(): void;
}

const ALLOWED_VARIABLES = ['PATH', 'HOME', 'USER', 'LANG', 'LC_ALL', 'TERM', 'TMPDIR', 'SHELL'];
/** The server's own token acts as the human. No program gets it, even if settings name it. */
const FORBIDDEN_VARIABLES = ['HEDDLE_TOKEN'];
const STDERR_TAIL_BYTES = 4 * 1024;

/**
 * Starts a program and enforces its time and output limits (I10); rejects if it cannot start. `exit` always resolves:
 * soon after the program exits, or after we end it.
 */
export async function startCappedProgram(
  program: AgentProgram,
  { directory: cwd, caps, signal, hidden, sandbox }: AgentRunOptions,
  onOutput: (chunk: Buffer) => void,
): Promise<RunningProgram> {
  const { environment, ...commandAndPaths } = program;
  const { process: child, stop } = await startProgram({
    ...commandAndPaths,
    cwd,
    env: environmentOf(environment),
    ...(hidden && { hidden }),
    ...(sandbox && { sandbox }),
  });
  const { promise: exit, resolve } = Promise.withResolvers<ProgramExit>();
  let endReason: EndReason | undefined;
  let stderrTail = Buffer.alloc(0);
  let bytesWritten = 0;
  const timers = [setTimeout(() => end('time'), caps.seconds * 1000)];
  const cancel = () => end('cancelled');
  signal?.addEventListener('abort', cancel);
  if (signal?.aborted) cancel();

  function end(reason: EndReason) {
    if (endReason) return;
    endReason = reason;
    stop();
    if (reason !== 'output' && reason !== 'unreadable') return;
    // Any further output is not even read.
    child.stdout.destroy();
    child.stderr.destroy();
  }

  function countBytes(bytes: number) {
    bytesWritten += bytes;
    if (bytesWritten > caps.bytes) end('output');
  }

  child.stdout.on('data', (chunk: Buffer) => {
    const room = caps.bytes - bytesWritten;
    try {
      if (room > 0 && endReason !== 'unreadable') onOutput(chunk.subarray(0, room));
    } catch {
      end('unreadable');
    }
    countBytes(chunk.length);
  });
  child.stderr.on('data', (chunk: Buffer) => {
    stderrTail = Buffer.concat([stderrTail, chunk]).subarray(-STDERR_TAIL_BYTES);
    countBytes(chunk.length);
  });
  child.on('error', () => {});
  child.on('close', (code) => {
    for (const timer of timers) clearTimeout(timer);
    signal?.removeEventListener('abort', cancel);
    resolve({ stderr: toReadableText(stderrTail.toString('utf8')), code, ...(endReason && { endReason }) });
  });

  function finish() {
    child.stdin.end();
    timers.push(setTimeout(() => end('done'), GRACE_MS));
  }

  return { stdin: child.stdin, exit, finish };
}

function environmentOf(names: readonly string[]): Record<string, string> {
  const variables = [...ALLOWED_VARIABLES, ...names].flatMap((name) => {
    const value = process.env[name];
    return value === undefined || FORBIDDEN_VARIABLES.includes(name) ? [] : [[name, value] as const];
  });
  return { ...Object.fromEntries(variables), NO_COLOR: '1' };
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is taken out
const ESCAPES = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[@-Z\\-_])/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is taken out
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

/** Strips colours and other terminal control sequences, so that an event can hold the text. */
export function toReadableText(text: string): string {
  return text.toWellFormed().replace(ESCAPES, '').replaceAll('\r\n', '\n').replace(CONTROLS, '');
}
