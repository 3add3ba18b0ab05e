import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { unusablePathError } from './directory.ts';

/** Reads a file; a missing file counts as empty. */
export function readTextFile(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw unusablePathError(path, error);
  }
}

/** Reads a one-line file, such as a token; undefined if it does not exist yet. */
export function readLineFile(path: string): string | undefined {
  return readTextFile(path).trim() || undefined;
}

/** Writes a file that only its owner may read. */
export function writeLineFile(path: string, line: string): void {
  const tempPath = `${path}.${process.pid}`;
  try {
    writeFileSync(tempPath, `${line}\n`, { mode: 0o600 });
    renameSync(tempPath, path);
  } catch (error) {
    rmSync(tempPath, { force: true });
    throw unusablePathError(path, error);
  }
}
