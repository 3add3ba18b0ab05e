import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createWorkDirectory } from '../weights/fetch.ts';
import { runNpm } from '../weights/npm.ts';
import { fileSizes } from '../weights/npm-pack.ts';

/** A library and everything it needs, each package pinned by version and integrity. */
export interface ModelRuntime {
  readonly package: string;
  readonly version: string;
  readonly licence: string;
  /** The package with the compiled code for this machine; undefined if none is known. */
  readonly compiled: string | undefined;
  /** As in a package-lock.json, without URLs: the registry supplies those. */
  readonly lock: () => Promise<Readonly<Record<string, object>>>;
  /** The approximate download size. */
  readonly bytes: number;
}

const PACKAGE = 'node-llama-cpp';
const VERSION = '3.22.1';
/** npm writes nothing to its cache while it unpacks. */
const STALLED_MS = 120_000;
/** The packages whose integrity is known. */
const COMPILED_PACKAGES: Readonly<Record<string, string>> = {
  'linux-x64': '@node-llama-cpp/linux-x64',
  'linux-arm64': '@node-llama-cpp/linux-arm64',
};

export const LLAMA_RUNTIME: ModelRuntime = {
  package: PACKAGE,
  version: VERSION,
  licence: 'MIT (node-llama-cpp and llama.cpp)',
  compiled: COMPILED_PACKAGES[`${process.platform}-${process.arch}`],
  lock: async () => (await import('./runtime-lock.json', { with: { type: 'json' } })).default,
  bytes: 54_000_000,
};

export function runtimeDirectory(cacheDir: string, { package: name, version }: ModelRuntime): string {
  return join(cacheDir, `${name}@${version}-${process.platform}-${process.arch}`);
}

/** The directory gets its final name only when it is complete. */
export function hasRuntime(cacheDir: string, runtime: ModelRuntime): boolean {
  return existsSync(join(runtimeDirectory(cacheDir, runtime), 'node_modules', runtime.package, 'package.json'));
}

/** Installs the library next to the weights. It is no part of Heddle, and no script of any of its packages is run. */
export async function installRuntime(
  runtime: ModelRuntime,
  cacheDir: string,
  onReceived: (bytes: number) => void,
  signal?: AbortSignal,
): Promise<void> {
  const { package: name, version, compiled } = runtime;
  const workDirectory = createWorkDirectory(cacheDir, name);
  try {
    const installDirectory = join(workDirectory, 'runtime');
    mkdirSync(installDirectory);
    const dependencies = { [name]: version, ...(compiled !== undefined && { [compiled]: version }) };
    const root = { name: 'heddle-runtime', version: '1.0.0', dependencies };
    const lock = { ...root, lockfileVersion: 3, requires: true, packages: { '': root, ...(await runtime.lock()) } };
    writeFileSync(join(installDirectory, 'package.json'), JSON.stringify({ ...root, private: true }));
    writeFileSync(join(installDirectory, 'package-lock.json'), JSON.stringify(lock));
    // Not `npm ci`, which requires the packages of every other platform to be in the registry too.
    const args = ['install', '--omit=optional', '--no-audit', '--no-fund'];
    const measure = (cache: string) => fileSizes(cache).reduce((sum, size) => sum + size, 0);
    const label = `${name}@${version}`;
    await runNpm({ args, directory: installDirectory, label, measure, onReceived, signal, stalledMs: STALLED_MS });
    rmSync(join(installDirectory, 'npm'), { recursive: true, force: true });
    const target = runtimeDirectory(cacheDir, runtime);
    rmSync(target, { recursive: true, force: true });
    renameSync(installDirectory, target);
  } finally {
    rmSync(workDirectory, { recursive: true, force: true });
  }
}
