import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { unusablePathError } from '../directory.ts';

/** The human's token, for whoever may read the workspace's files; undefined before the first use. */
export function readToken(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8').trim() || undefined;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw unusablePathError(path, error);
  }
}

export function writeToken(path: string, token: string): void {
  const tempPath = `${path}.${process.pid}`;
  try {
    writeFileSync(tempPath, `${token}\n`, { mode: 0o600 });
    renameSync(tempPath, path);
  } catch (error) {
    rmSync(tempPath, { force: true });
    throw unusablePathError(path, error);
  }
}
