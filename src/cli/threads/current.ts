import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeDirectory, unusablePathError } from '../../workspace/directory.ts';
import type { Cli } from '../cli.ts';
import { EXIT, Failure } from '../failure.ts';

/** The thread commands act on: the one that was named, or the workspace's current one of the program's kind (C7, C8). */
export function requireCurrentThread(cli: Cli): string {
  const name = cli.thread ?? currentThread(cli);
  if (name) return name;
  const { kind, missing } = targetOf(cli);
  throw new Failure(`no_${kind}`, missing, EXIT.refused);
}

export function currentThread(cli: Cli): string | undefined {
  const path = currentThreadFile(cli);
  try {
    return readFileSync(path, 'utf8').trim() || undefined;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw unusablePathError(path, error);
  }
}

export function setCurrentThread(cli: Cli, thread: string): void {
  const path = currentThreadFile(cli);
  const temporaryFile = `${path}.${process.pid}`;
  makeDirectory(cli.directory);
  try {
    writeFileSync(temporaryFile, `${thread}\n`, { mode: 0o600 });
    renameSync(temporaryFile, path);
  } catch (error) {
    throw unusablePathError(path, error);
  }
}

function currentThreadFile(cli: Cli): string {
  return join(cli.directory.path, `current-${targetOf(cli).kind}`);
}

export function targetOf({ program }: Cli) {
  if (!program.target) throw new Error(`${program.name} does not act on one thread`);
  return program.target;
}
