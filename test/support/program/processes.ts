// Which processes there are, told apart by a word in their command line: their ids are others in a sandbox.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'vitest';

/** How many run that have this word among theirs. */
export function countRunning(word: string): number {
  if (process.platform !== 'linux')
    return execFileSync('ps', ['-axo', 'command'], { encoding: 'utf8' })
      .split('\n')
      .filter((line) => line.includes(word)).length;
  return readdirSync('/proc').filter((pid) => /^\d+$/.test(pid) && hasWord(pid, word)).length;
}

function hasWord(pid: string, word: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(word);
  } catch {
    return false;
  }
}

/** Killed processes are there until whoever inherits them has noticed. */
export async function waitUntilGone(word: string): Promise<void> {
  await expect.poll(() => countRunning(word), { timeout: 20_000 }).toBe(0);
}

export async function waitUntilRunning(word: string, count = 1): Promise<void> {
  await expect.poll(() => countRunning(word), { timeout: 20_000 }).toBeGreaterThanOrEqual(count);
}
