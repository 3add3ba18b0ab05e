import { writeFileSync } from 'node:fs';

/** Makes an empty file for its owner alone where there is none: SQLite would make one that everybody may read. */
export function createPrivateFile(path: string): void {
  try {
    writeFileSync(path, '', { flag: 'wx', mode: 0o600 });
  } catch {
    // It is there, or cannot be made: whoever opens it finds out.
  }
}
