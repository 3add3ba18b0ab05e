import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { unusable } from '../directory.ts';

/** The human's token, for whoever may read the workspace's files; undefined before the first use. */
export function readToken(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8').trim() || undefined;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw unusable(path, error);
  }
}

export function writeToken(path: string, token: string): void {
  const draft = `${path}.${process.pid}`;
  try {
    writeFileSync(draft, `${token}\n`, { mode: 0o600 });
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    throw unusable(path, error);
  }
}
