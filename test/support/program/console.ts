// The console blocks of a document, run as they are written.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { cacheDirectory } from '../../../src/models/builtin/weights/cache.ts';
import { entryOf } from './heddle.ts';
import { writePrograms } from './program-names.ts';

/** One command of a document, and what the document shows of its output. */
export interface Shown {
  readonly line: number;
  readonly command: string;
  readonly output: readonly string[];
  /** It goes on until it is interrupted, which is said behind it: "# Ctrl-C ends it". */
  readonly endless: boolean;
  /** It needs what a test has not, which is said behind it: "# needs Claude Code". */
  readonly needs?: string;
}

/**
 * Those of the console blocks of a document, or of the description of a recording. Lines behind "$ " are typed, those
 * behind "> " go on with them, all others were printed.
 */
export function commandsIn(path: string): readonly Shown[] {
  const text = readFileSync(path, 'utf8');
  const lines = (path.endsWith('.svg') ? described(text) : text).split('\n');
  const shown: { line: number; typed: string[]; output: string[] }[] = [];
  let inside = false;
  for (const [index, line] of lines.entries()) {
    if (line.startsWith('```')) inside = line === '```console';
    else if (!inside) continue;
    else if (line.startsWith('$ ')) shown.push({ line: index + 1, typed: [line.slice(2)], output: [] });
    else if (line.startsWith('> ') && shown.at(-1)?.output.length === 0) shown.at(-1)?.typed.push(line.slice(2));
    else shown.at(-1)?.output.push(line);
  }
  return shown.map(({ line, typed, output }) => {
    const command = typed.join('\n');
    const needs = / # needs (.+)$/.exec(command)?.[1];
    return { line, command, output, endless: / # Ctrl-C ends it$/.test(command), ...(needs && { needs }) };
  });
}

function described(svg: string): string {
  const text = /<desc>(.*?)<\/desc>/s.exec(svg)?.[1] ?? '';
  const plain = text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
  return ['```console', plain, '```'].join('\n');
}

/** A shell of its own in an empty directory, with a workspace of its own and the program under all its names. */
export function openShell() {
  const place = mkdtempSync(join(tmpdir(), 'heddle-guide-'));
  const bin = join(place, 'bin');
  const workingDirectory = join(place, 'here');
  mkdirSync(workingDirectory);
  writePrograms(bin, entryOf);
  const env = {
    PATH: `${bin}:${process.env.PATH}`,
    HOME: place,
    HEDDLE_CACHE: cacheDirectory(),
    HEDDLE_WORKSPACE: join(place, 'workspace'),
  };
  const shell = spawn('bash', ['--norc', '--noprofile'], {
    cwd: workingDirectory,
    env,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let server: ChildProcess | undefined;
  const beside = new Set<ChildProcess>();
  let [out, errors] = ['', ''];
  let onOutput = () => {};
  shell.stderr.on('data', (chunk) => (errors += chunk));
  shell.stdout.on('data', (chunk) => {
    out += chunk;
    onOutput();
  });

  /** Runs it in the shell, which keeps what it sets. */
  async function run(command: string): Promise<{ code: number; out: string; err: string }> {
    [out, errors] = ['', ''];
    writeFileSync(join(place, 'command'), `${command}\n`);
    // What it reads is not what is typed next.
    shell.stdin.write(`. ../command </dev/null; printf '\\036%s\\n' $?\n`);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: no program prints this one
    const ended = /\x1e(\d+)\n$/;
    while (!ended.test(out)) await new Promise<void>((resolve) => (onOutput = resolve));
    const code = Number(ended.exec(out)?.[1]);
    return { code, out: out.replace(ended, ''), err: errors };
  }

  /** Runs it beside the shell until it has printed what is waited for, and interrupts it then. */
  function interrupt(command: string, until: RegExp): Promise<{ code: number | null; out: string; err: string }> {
    return new Promise((resolve) => {
      const child = spawn('bash', ['-c', `exec ${command}`], { cwd: workingDirectory, env });
      beside.add(child);
      let printed = '';
      let err = '';
      child.stderr.on('data', (chunk) => (err += chunk));
      child.stdout.on('data', (chunk) => {
        printed += chunk;
        if (until.test(printed)) child.kill('SIGINT');
      });
      child.on('close', (code, signal) => resolve({ code: signal === 'SIGINT' ? 0 : code, out: printed, err }));
    });
  }

  /** A server for the workspace, as somebody has one in another terminal. */
  async function serve(): Promise<void> {
    const words = [entryOf('heddle'), 'serve', '--port', '0', '--no-open', '--json'];
    server = spawn(process.execPath, words, { env, stdio: ['ignore', 'pipe', 'inherit'] });
    await once(server.stdout as Readable, 'data');
  }

  async function close(): Promise<void> {
    const ended = [shell, ...(server ? [server] : [])].map((each) => once(each, 'close'));
    shell.stdin.end();
    server?.kill('SIGINT');
    for (const child of beside) child.kill('SIGKILL');
    await Promise.all(ended);
    rmSync(place, { recursive: true, force: true });
  }

  return { run, interrupt, serve, close };
}

/** Whole or by its end, which may have no digit; I, L, O and U are in none. */
const ID = /\b(?=\d*[A-Z])(?:[0-9A-HJKMNP-TV-Z]{26}|[0-9A-HJKMNP-TV-Z]{6})\b/g;

/**
 * What is printed must look like this: "…" is anything on a line, a line of it
 * any number of lines, and an id whatever id stands there.
 */
export function patternOf(shown: readonly string[]): { readonly pattern: RegExp; readonly ids: readonly string[] } {
  const ids: string[] = [];
  const lines = shown.map((line) => {
    if (line.trim() === '…') return '(?:.*\\n)*?';
    const parts = line.split(ID);
    const found = line.match(ID) ?? [];
    ids.push(...found);
    const written = parts.map((part) => part.split('…').map(escaped).join('.*'));
    return `${written.reduce((text, part, i) => `${text}([0-9A-HJKMNP-TV-Z]{${found[i - 1]?.length}})${part}`)}[^\\S\\n]*\\n`;
  });
  return { pattern: new RegExp(`^${lines.join('')}$`), ids };
}

/** Ids that a document shows, by those that are there in their place. */
export function withIds(command: string, known: ReadonlyMap<string, string>): string {
  return command.replace(ID, (id) => known.get(id) ?? id);
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
