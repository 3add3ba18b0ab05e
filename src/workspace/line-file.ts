import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { unusablePathError } from './directory.ts';

/** The one line of a small file, such as a token; undefined before the first use. */
export function readLineFile(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8').trim() || undefined;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw unusablePathError(path, error);
  }
}

/** Only its owner may read it. */
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
