import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { workPlace } from '../weights/fetch.ts';
import { runNpm } from '../weights/npm.ts';
import { fileSizes } from '../weights/npm-pack.ts';

/** A library and everything it needs, each package pinned by version and integrity. */
export interface Runtime {
  readonly package: string;
  readonly version: string;
  readonly licence: string;
  /** The package with the compiled part for this machine; undefined where there is none that we know. */
  readonly compiled: string | undefined;
  /** As in a package-lock.json, without addresses: they are the registry's own. */
  readonly lock: () => Promise<Readonly<Record<string, object>>>;
  /** What is fetched, about. */
  readonly bytes: number;
}

const PACKAGE = 'node-llama-cpp';
const VERSION = '3.22.1';
/** While it unpacks, nothing more comes. */
const STALLED_MS = 120_000;
/** Those whose integrity is known. */
const COMPILED: Readonly<Record<string, string>> = {
  'linux-x64': '@node-llama-cpp/linux-x64',
  'linux-arm64': '@node-llama-cpp/linux-arm64',
};

export const LLAMA: Runtime = {
  package: PACKAGE,
  version: VERSION,
  licence: 'MIT (node-llama-cpp and llama.cpp)',
  compiled: COMPILED[`${process.platform}-${process.arch}`],
  lock: async () => (await import('./runtime-lock.json', { with: { type: 'json' } })).default,
  bytes: 54_000_000,
};

export function runtimeIn(cacheDir: string, { package: name, version }: Runtime): string {
  return join(cacheDir, `${name}@${version}-${process.platform}-${process.arch}`);
}

/** The directory gets its name only when everything is in it. */
export function hasRuntime(cacheDir: string, runtime: Runtime): boolean {
  return existsSync(join(runtimeIn(cacheDir, runtime), 'node_modules', runtime.package, 'package.json'));
}

/** Installs the library beside the weights: no part of Heddle, and no script of any of its packages is run. */
export async function installRuntime(
  runtime: Runtime,
  cacheDir: string,
  received: (bytes: number) => void,
  signal?: AbortSignal,
): Promise<void> {
  const { package: name, version, compiled } = runtime;
  const work = workPlace(cacheDir, name);
  try {
    const place = join(work, 'runtime');
    mkdirSync(place);
    const dependencies = { [name]: version, ...(compiled !== undefined && { [compiled]: version }) };
    const root = { name: 'heddle-runtime', version: '1.0.0', dependencies };
    const lock = { ...root, lockfileVersion: 3, requires: true, packages: { '': root, ...(await runtime.lock()) } };
    writeFileSync(join(place, 'package.json'), JSON.stringify({ ...root, private: true }));
    writeFileSync(join(place, 'package-lock.json'), JSON.stringify(lock));
    // Not `npm ci`: it wants every other platform's packages to be in the registry, too.
    const words = ['install', '--omit=optional', '--no-audit', '--no-fund'];
    const measure = (cache: string) => fileSizes(cache).reduce((sum, size) => sum + size, 0);
    const what = `${name}@${version}`;
    await runNpm({ words, directory: place, what, measure, received, signal, stalledMs: STALLED_MS });
    rmSync(join(place, 'npm'), { recursive: true, force: true });
    const target = runtimeIn(cacheDir, runtime);
    rmSync(target, { recursive: true, force: true });
    renameSync(place, target);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}
