import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeDirectory, unusable } from '../../workspace/directory.ts';
import type { Cli } from '../cli.ts';
import { EXIT, Failure } from '../failure.ts';

/** The thread commands act on: the one that was named, or the workspace's current one of the program's kind (C7, C8). */
export function chosen(cli: Cli): string {
  const name = cli.thread ?? current(cli);
  if (name) return name;
  const { kind, none } = kindOf(cli);
  throw new Failure(`no_${kind}`, none, EXIT.refused);
}

export function current(cli: Cli): string | undefined {
  const path = fileOf(cli);
  try {
    return readFileSync(path, 'utf8').trim() || undefined;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw unusable(path, error);
  }
}

export function makeCurrent(cli: Cli, thread: string): void {
  const path = fileOf(cli);
  const draft = `${path}.${process.pid}`;
  makeDirectory(cli.directory);
  try {
    writeFileSync(draft, `${thread}\n`, { mode: 0o600 });
    renameSync(draft, path);
  } catch (error) {
    throw unusable(path, error);
  }
}

function fileOf(cli: Cli): string {
  return join(cli.directory.path, `current-${kindOf(cli).kind}`);
}

export function kindOf({ program }: Cli) {
  if (!program.onThread) throw new Error(`${program.name} does not act on one thread`);
  return program.onThread;
}
