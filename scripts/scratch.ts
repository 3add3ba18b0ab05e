import { accessSync, constants, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';

const IN_MEMORY = '/dev/shm';
const ENOUGH_BYTES = 4 * 2 ** 30;

/**
 * Where tests keep their files: in memory where there is room, else where the system keeps temporary files. Thousands of
 * workspaces are opened and synced, and none of them has to survive a power cut.
 */
export function scratchDirectory(): string {
  if (process.env.TMPDIR !== undefined) return tmpdir();
  try {
    const { bavail, bsize } = statfsSync(IN_MEMORY);
    accessSync(IN_MEMORY, constants.W_OK);
    return bavail * bsize >= ENOUGH_BYTES ? IN_MEMORY : tmpdir();
  } catch {
    return tmpdir();
  }
}
