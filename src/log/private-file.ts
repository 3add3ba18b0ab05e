import { writeFileSync } from 'node:fs';

/**
 * Creates an empty file that only its owner can read, if there is none: SQLite would create one that everybody can
 * read.
 */
export function createPrivateFile(path: string): void {
  try {
    writeFileSync(path, '', { flag: 'wx', mode: 0o600 });
  } catch {
    // The file exists or cannot be created; opening it will report the error.
  }
}
