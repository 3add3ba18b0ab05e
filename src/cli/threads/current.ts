import { join } from 'node:path';
import { makeDirectory } from '../../workspace/directory.ts';
import { readLineFile, writeLineFile } from '../../workspace/line-file.ts';
import type { Cli } from '../cli.ts';
import { EXIT, Failure } from '../failure.ts';

/** The thread that commands act on: --thread, or the workspace's current thread of the program's kind (C7, C8). */
export function requireCurrentThread(cli: Cli): string {
  const name = cli.thread ?? currentThread(cli);
  if (name) return name;
  const { kind, missing } = targetOf(cli);
  throw new Failure(`no_${kind}`, missing, EXIT.refused);
}

export function currentThread(cli: Cli): string | undefined {
  return readLineFile(currentThreadFile(cli));
}

export function setCurrentThread(cli: Cli, thread: string): void {
  makeDirectory(cli.directory);
  writeLineFile(currentThreadFile(cli), thread);
}

function currentThreadFile(cli: Cli): string {
  return join(cli.directory.path, `current-${targetOf(cli).kind}`);
}

export function targetOf({ program }: Cli) {
  if (!program.target) throw new Error(`${program.name} does not act on one thread`);
  return program.target;
}
