import { mkdirSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const IN_MEMORY = '/dev/shm';
const ENOUGH_BYTES = 4 * 2 ** 30;
const NAME = /^heddle-tests-(\d+)$/;

/**
 * Where a run of the tests keeps its files: in memory where there is room, else where the system keeps temporary files.
 * Thousands of workspaces are opened and synced, and none of them has to survive a power cut. What a run that was killed
 * left behind is removed by the next.
 */
export function openScratch(base = inMemory() ?? tmpdir()): { readonly path: string; remove(): void } {
  for (const name of readdirSync(base)) {
    const pid = NAME.exec(name)?.[1];
    if (pid !== undefined && !isRunning(Number(pid))) rmSync(join(base, name), { recursive: true, force: true });
  }
  const path = join(base, `heddle-tests-${process.pid}`);
  mkdirSync(path, { recursive: true, mode: 0o755 });
  return { path, remove: () => removeIfPossible(path) };
}

/** A process that is still ending may write there: then the next run removes it. */
function removeIfPossible(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true, maxRetries: 3 });
  } catch {}
}

function inMemory(): string | undefined {
  if (process.env.TMPDIR !== undefined) return undefined;
  try {
    const { bavail, bsize } = statfsSync(IN_MEMORY);
    return bavail * bsize >= ENOUGH_BYTES ? IN_MEMORY : undefined;
  } catch {
    return undefined;
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
