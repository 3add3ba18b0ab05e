// The real program, started as a person starts it, on a directory of its own.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { heddleEntry, isBuilt } from './entry.ts';

const root = join(import.meta.dirname, '../../..');

type ProgramName = 'heddle' | 'mind' | 'logos';

/** The program by whatever name it is called. */
export function entryOf(program: ProgramName): string {
  if (program === 'heddle') return heddleEntry;
  if (isBuilt) return join(root, `bin/${program}.js`);
  const link = join(newDirectory(), program);
  symlinkSync(join(root, 'src/main.ts'), link);
  return link;
}

export interface RunResult {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
  /** Standard output as the JSON document it should be. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into it freely
  readonly json: any;
}

export interface RunningProgram {
  readonly process: ChildProcess;
  readonly ended: Promise<RunResult>;
  /** Resolves when what was written to standard output so far matches. */
  waitForOutput(pattern: RegExp): Promise<RegExpExecArray>;
}

export interface RunOptions {
  readonly input?: string | Uint8Array;
  readonly env?: NodeJS.ProcessEnv;
  /** By which of its names it is called. */
  readonly program?: ProgramName;
}

/** A directory that is gone when the test ends. */
export function newDirectory(): string {
  const path = mkdtempSync(join(tmpdir(), 'heddle-cli-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

export function start(
  words: readonly string[],
  { input = '', env = {}, program = 'heddle' }: RunOptions = {},
): RunningProgram {
  const child = spawn(process.execPath, [entryOf(program), ...words], {
    cwd: tmpdir(),
    env: { PATH: process.env.PATH, HOME: join(tmpdir(), 'heddle-no-home'), ...env },
  });
  let out = '';
  let err = '';
  const listeners = new Set<() => void>();
  child.stdout.on('data', (chunk) => {
    out += chunk;
    for (const listener of listeners) listener();
  });
  child.stderr.on('data', (chunk) => {
    err += chunk;
  });
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  const ended = new Promise<RunResult>((resolve) => {
    child.on('close', (code) => {
      const text = out;
      resolve({
        code,
        out,
        err,
        get json() {
          return JSON.parse(text);
        },
      });
    });
  });
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await ended;
  });

  function waitForOutput(pattern: RegExp): Promise<RegExpExecArray> {
    return new Promise((resolve, reject) => {
      function look() {
        const found = pattern.exec(out);
        if (!found) return;
        listeners.delete(look);
        resolve(found);
      }
      listeners.add(look);
      look();
      void ended.then(() => reject(new Error(`It ended without saying ${pattern}:\n${out}\n${err}`)));
    });
  }

  return { process: child, ended, waitForOutput };
}

/** A workspace, and the program used on it. */
export function newWorkspace(path: string = newDirectory(), more: readonly string[] = []) {
  // By the environment, so that what the program tells to type next names no directory.
  const env = { HEDDLE_WORKSPACE: path };
  const run = (words: readonly string[], options?: RunOptions) =>
    start([...words, ...more], { ...options, env: { ...env, ...options?.env } }).ended;

  async function ok(...words: string[]): Promise<RunResult> {
    const result = await run(words);
    if (result.code !== 0)
      throw new Error(`heddle ${words.join(' ')} ended with ${result.code}:\n${result.out}\n${result.err}`);
    return result;
  }

  async function serve(...words: string[]) {
    const server = start(['serve', '--port', '0', '--no-open', '--json', ...more, ...words], { env });
    const [line] = await server.waitForOutput(/^\{.*\}\n/);
    const { url, pid } = JSON.parse(line) as { url: string; pid: number };
    const end = (signal: NodeJS.Signals) => {
      server.process.kill(signal);
      return server.ended;
    };
    return { ...server, line, url, pid, stop: () => end('SIGINT'), kill: () => end('SIGKILL') };
  }

  return { path, run, ok, serve, start: (...words: string[]) => start([...words, ...more], { env }) };
}
