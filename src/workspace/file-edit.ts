import { existsSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { StoreUnavailable } from '../log/event-log.ts';
import { unusable } from './directory.ts';
import { alone } from './lock.ts';
import { textOf } from './settings/yaml-file.ts';

const TRIES = 5;

/**
 * Changes a file that others write, too: programs wait for each other, and what somebody saved while the change was made
 * is taken into account. `change` gives the new text, or undefined to leave the file as it is.
 */
export function editFile(path: string, change: (text: string) => string | undefined): void {
  const edited = alone(`${path}.lock`, () => {
    for (let tries = 0; tries < TRIES; tries++) if (tryEdit(path, change)) return true;
    return false;
  });
  if (edited?.done) return;
  throw new StoreUnavailable(`${path} is being changed by something else. Nothing was written; try again.`);
}

function tryEdit(path: string, change: (text: string) => string | undefined): boolean {
  const before = textOf(path);
  const after = change(before);
  if (after === undefined) return true;
  const place = existsSync(path) ? realpathSync(path) : path;
  const draft = `${place}.${process.pid}`;
  try {
    const mode = existsSync(place) ? statSync(place).mode & 0o777 : 0o600;
    writeFileSync(draft, after, { mode, flush: true });
    if (textOf(path) !== before) return false;
    renameSync(draft, place);
    return true;
  } catch (error) {
    throw unusable(path, error);
  } finally {
    rmSync(draft, { force: true });
  }
}
