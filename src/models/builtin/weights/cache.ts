import { createHash } from 'node:crypto';
import { createReadStream, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { PinnedFile, PinnedPackage } from './pinned.ts';

type CachedPackage = Pick<PinnedPackage, 'package' | 'version' | 'files'>;

/** The directory for downloaded weights, shared by all workspaces of one user. */
export function cacheDirectory(env: NodeJS.ProcessEnv = process.env): string {
  return env.HEDDLE_CACHE || join(env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'heddle');
}

export function cachedFilePath(cacheDir: string, pinned: CachedPackage, file: PinnedFile): string {
  return join(cacheDir, `${pinned.package}@${pinned.version}`, basename(file.path));
}

/** Whether all files exist, by name and size. This is cheap; their content is verified when they are loaded. */
export function seemsPresent(cacheDir: string, pinned: CachedPackage): boolean {
  return pinned.files.every(
    (file) => statSync(cachedFilePath(cacheDir, pinned, file), { throwIfNoEntry: false })?.size === file.bytes,
  );
}

/** Whether all files are complete, to the last bit. */
export async function isIntact(cacheDir: string, pinned: CachedPackage): Promise<boolean> {
  if (!seemsPresent(cacheDir, pinned)) return false;
  for (const file of pinned.files) {
    if ((await hashFile(cachedFilePath(cacheDir, pinned, file), 'sha256')).toString('hex') !== file.sha256)
      return false;
  }
  return true;
}

export async function hashFile(path: string, algorithm: 'sha256' | 'sha512'): Promise<Buffer> {
  const hash = createHash(algorithm);
  await pipeline(createReadStream(path), hash);
  return hash.digest();
}
