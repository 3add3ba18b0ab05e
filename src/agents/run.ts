import { spawn } from 'node:child_process';

/** A program to run for an agent: never by a shell, never with all of our environment. */
export interface Program {
  readonly command: readonly string[];
  readonly directory: string;
  readonly input: string;
  /** Names of our own variables that it may see, besides the few every program needs. */
  readonly environment?: readonly string[];
  readonly variables?: Readonly<Record<string, string>>;
}

export interface Caps {
  readonly seconds: number;
  readonly bytes: number;
}

export interface Ran {
  readonly stdout: string;
  /** The end of what it complained about. */
  readonly stderr: string;
  readonly code: number | null;
  /** Why it was ended, where we ended it. */
  readonly ended?: 'time' | 'output' | 'cancelled';
}

const ALWAYS = ['PATH', 'HOME', 'USER', 'LANG', 'LC_ALL', 'TERM', 'TMPDIR', 'SHELL'];
const GRACE_MS = 2_000;
const LAST_WORDS = 4 * 1024;

/** Runs it to its end, or to ours: with everything it started, within time and output (I10). */
export function runProgram(program: Program, caps: Caps, signal?: AbortSignal): Promise<Ran> {
  const [name, ...args] = program.command as [string, ...string[]];
  return new Promise((resolve, reject) => {
    // A group of its own, so that what it forks ends with it.
    const child = spawn(name, args, { cwd: program.directory, env: environmentOf(program), detached: true });
    const out: Buffer[] = [];
    let length = 0;
    let stderr = '';
    let ended: Ran['ended'];
    const timer = setTimeout(() => end('time'), caps.seconds * 1000);
    const cancelled = () => end('cancelled');
    signal?.addEventListener('abort', cancelled);
    if (signal?.aborted) cancelled();

    function end(why: NonNullable<Ran['ended']>) {
      if (ended) return;
      ended = why;
      killGroup(child.pid, 'SIGTERM');
      setTimeout(() => killGroup(child.pid, 'SIGKILL'), GRACE_MS).unref();
      // Whoever holds its output open without being in its group must not hold us.
      setTimeout(() => child.stdout.destroy(), 2 * GRACE_MS).unref();
    }

    child.stdout.on('data', (chunk: Buffer) => {
      const room = caps.bytes - length;
      length += chunk.length;
      if (room > 0) out.push(chunk.subarray(0, room));
      if (length > caps.bytes) end('output');
    });
    child.stderr.on('data', (chunk: Buffer) => {
      stderr = (stderr + chunk.toString('utf8')).slice(-LAST_WORDS);
    });
    child.stdin.on('error', () => {});
    child.stdin.end(program.input);
    child.on('error', (error) => {
      finish();
      reject(error);
    });
    child.on('close', (code) => {
      finish();
      // A program that is done has nothing left to do: what it left running in its group ends too.
      killGroup(child.pid, 'SIGKILL');
      resolve({
        stdout: readable(Buffer.concat(out)),
        stderr: readable(Buffer.from(stderr)),
        code,
        ...(ended && { ended }),
      });
    });

    function finish() {
      clearTimeout(timer);
      signal?.removeEventListener('abort', cancelled);
    }
  });
}

function environmentOf({ environment = [], variables = {} }: Program): NodeJS.ProcessEnv {
  const seen = [...ALWAYS, ...environment].flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return { ...Object.fromEntries(seen), NO_COLOR: '1', ...variables };
}

function killGroup(pid: number | undefined, signal: NodeJS.Signals) {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch {
    // Nobody is left in it.
  }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is taken out
const ESCAPES = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[@-Z\\-_])/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is taken out
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

/** Text as an event may hold it: colours and other orders to a terminal are no text. */
function readable(bytes: Buffer): string {
  return bytes.toString('utf8').replace(ESCAPES, '').replaceAll('\r\n', '\n').replace(CONTROLS, '');
}
