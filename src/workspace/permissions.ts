import { chmodSync, lstatSync } from 'node:fs';
import { join } from 'node:path';
import type { WorkspaceDirectory } from './directory.ts';

const DATABASES = ['heddle.db', 'heddle.search.db'];
const OTHER_FILES = [
  'heddle.yaml',
  'token',
  'token-key',
  'server.json',
  'lock',
  'current-dialogue',
  'current-exchange',
];
/** The files Heddle writes into a workspace. Everything else in the directory is left alone. */
const FILE_NAMES = [...DATABASES.flatMap((name) => [name, `${name}-wal`, `${name}-shm`]), ...OTHER_FILES];

/** Files of a workspace that other users of the machine may read or write. */
export function filesReadableByOthers({ path }: Pick<WorkspaceDirectory, 'path'>): readonly string[] {
  if (process.platform === 'win32') return [];
  return FILE_NAMES.map((name) => join(path, name)).filter((file) => {
    const stats = lstatSync(file, { throwIfNoEntry: false });
    return stats?.isFile() && (stats.mode & 0o077) !== 0;
  });
}

/** Removes other users' access. Only a file's owner can do that; "heddle doctor" names the files that stay open. */
export function restrictToOwner(directory: Pick<WorkspaceDirectory, 'path'>): void {
  for (const file of filesReadableByOthers(directory)) {
    try {
      chmodSync(file, lstatSync(file).mode & 0o700);
    } catch {
      // The file belongs to another user.
    }
  }
}
