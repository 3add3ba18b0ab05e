import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeDirectory, unusable } from '../../workspace/directory.ts';
import type { Cli } from '../cli.ts';
import { EXIT, Failure } from '../failure.ts';

/** The dialogue commands act on: the one that was named, or the workspace's current one (C7). */
export function chosen(cli: Cli): string {
  const name = cli.thread ?? current(cli);
  if (name) return name;
  throw new Failure(
    'no_dialogue',
    'No dialogue is open here. Begin one: mind init "Garden plans". "mind open" lists those there are.',
    EXIT.refused,
  );
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
    writeFileSync(draft, `${thread}\n`);
    renameSync(draft, path);
  } catch (error) {
    throw unusable(path, error);
  }
}

function fileOf({ directory }: Cli): string {
  return join(directory.path, 'current-dialogue');
}
