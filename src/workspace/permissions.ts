import { chmodSync, lstatSync } from 'node:fs';
import { join } from 'node:path';
import type { Directory } from './directory.ts';

const DATABASES = ['heddle.db', 'heddle.search.db'];
const OTHERS = ['heddle.yaml', 'token', 'token-key', 'server.json', 'lock', 'current-dialogue', 'current-exchange'];
/** What Heddle writes into a workspace. Whatever else is in the directory is somebody else's. */
const NAMES = [...DATABASES.flatMap((name) => [name, `${name}-wal`, `${name}-shm`]), ...OTHERS];

/** Files of a workspace that other users of the machine may read or write. */
export function filesOpenToOthers({ path }: Pick<Directory, 'path'>): readonly string[] {
  if (process.platform === 'win32') return [];
  return NAMES.map((name) => join(path, name)).filter((file) => {
    const found = lstatSync(file, { throwIfNoEntry: false });
    return found?.isFile() && (found.mode & 0o077) !== 0;
  });
}

/** Takes them from others. Only their owner can; "heddle doctor" names those that stay open. */
export function closeToOthers(directory: Pick<Directory, 'path'>): void {
  for (const file of filesOpenToOthers(directory)) {
    try {
      chmodSync(file, lstatSync(file).mode & 0o700);
    } catch {
      // Somebody else's.
    }
  }
}
