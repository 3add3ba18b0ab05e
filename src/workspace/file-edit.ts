import { existsSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { StoreUnavailable } from '../log/event-log.ts';
import { unusablePathError } from './directory.ts';
import { readTextFile } from './line-file.ts';
import { withFileLock } from './lock.ts';

const MAX_TRIES = 5;

/**
 * Edits a file that other programs write, too. Programs wait for each other, and changes saved during the edit are
 * taken into account. `editText` returns the new text, or undefined to leave the file unchanged.
 */
export function editFile(path: string, editText: (text: string) => string | undefined): void {
  const result = withFileLock(`${path}.lock`, () => {
    for (let attempt = 0; attempt < MAX_TRIES; attempt++) if (tryEdit(path, editText)) return true;
    return false;
  });
  if (result?.done) return;
  throw new StoreUnavailable(`${path} is being changed by another program. Nothing was written; try again.`);
}

function tryEdit(path: string, editText: (text: string) => string | undefined): boolean {
  const oldText = readTextFile(path);
  const newText = editText(oldText);
  if (newText === undefined) return true;
  const realPath = existsSync(path) ? realpathSync(path) : path;
  const tempPath = `${realPath}.${process.pid}`;
  try {
    const mode = existsSync(realPath) ? statSync(realPath).mode & 0o777 : 0o600;
    writeFileSync(tempPath, newText, { mode, flush: true });
    if (readTextFile(path) !== oldText) return false;
    renameSync(tempPath, realPath);
    return true;
  } catch (error) {
    throw unusablePathError(path, error);
  } finally {
    rmSync(tempPath, { force: true });
  }
}
