// Brings dist/ up to date: each target is built again only when one of its sources changed.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CodeSplittingOptions } from 'rolldown';

interface Target {
  readonly name: string;
  readonly sources: readonly string[];
  build(): Promise<void>;
}

const root = join(import.meta.dirname, '..');
const stampFile = join(root, 'dist/.stamps.json');
const always = ['package.json', 'package-lock.json', 'tsconfig.json', 'scripts/build.ts'];

/** Code of threads and processes: files of their own, found by src/platform/worker-file.ts under these names. */
const WORKERS = {
  'small-model': 'src/models/builtin/small/worker.ts',
  embedder: 'src/models/builtin/embedder/worker.ts',
  'local-model': 'src/models/builtin/larger/child.ts',
  'loom-reader': 'src/server/loom/reader-worker.ts',
  'search-index': 'src/log/search/search-worker.ts',
};

/**
 * A command that loads a hundred small files starts almost half again as slowly: so most of the program is in three. What
 * only asks a server, or reads the log, needs the first; the rules are in the second; the third answers where no server runs.
 */
const CHUNKS = [
  {
    name: 'terminal',
    test: /src[\\/](cli[\\/](program|commands[\\/](threads|post|read|search|tail|who|invite|drafts|side|delivery|open|bring|trail|explain))|log[\\/]sqlite[\\/]sqlite-log)\.ts$/,
    priority: 3,
  },
  { name: 'rules', test: /src[\\/](core|formats[\\/](export|verify))[\\/]/, priority: 2 },
  { name: 'server', test: /src[\\/](engine|server|workspace|models[\\/]registry)[\\/]/, priority: 1 },
];

const targets: readonly Target[] = [
  { name: 'program', sources: ['src'], build: buildProgram },
  { name: 'client', sources: ['src/client', 'src/protocol', 'src/core', 'tsconfig.types.json'], build: buildClient },
  {
    name: 'page',
    sources: ['web', 'src/client', 'src/protocol', 'src/core', 'scripts/shell-worker.ts'],
    build: buildPage,
  },
];

if (import.meta.main) {
  await buildStale().catch((error: Error) => {
    console.error(error.message);
    process.exitCode = 1;
  });
}

export function staleTargets(): readonly Target[] {
  const stamps = readStamps();
  return targets.filter((target) => stamps[target.name] !== fingerprint(target));
}

async function buildStale(): Promise<void> {
  for (const target of staleTargets()) {
    const before = fingerprint(target);
    const start = performance.now();
    await target.build();
    mkdirSync(join(root, 'dist'), { recursive: true });
    writeFileSync(stampFile, JSON.stringify({ ...readStamps(), [target.name]: before }, undefined, 2));
    process.stderr.write(`Built the ${target.name} in ${((performance.now() - start) / 1000).toFixed(1)} s\n`);
  }
}

async function buildProgram(): Promise<void> {
  const dist = join(root, 'dist');
  rmSync(join(dist, 'chunks'), { recursive: true, force: true });
  await bundle({ heddle: 'src/main.ts' }, dist, { groups: CHUNKS });
  await bundleWorkers(dist);
}

export async function bundle(
  input: Readonly<Record<string, string>>,
  dir: string,
  codeSplitting: CodeSplittingOptions = {},
): Promise<void> {
  const { build } = await import('rolldown');
  await build({
    cwd: root,
    input,
    platform: 'node',
    external: ['pg-native'],
    logLevel: 'warn',
    output: { dir, format: 'esm', minify: true, chunkFileNames: 'chunks/[name]-[hash].js', codeSplitting },
  });
}

/** Each by itself, so that the program has no chunk more to load at its start for what it shares with a thread. */
export async function bundleWorkers(dir: string): Promise<void> {
  for (const [name, file] of Object.entries(WORKERS)) await bundle({ [name]: file }, dir);
}

/** `heddle/client` for other programs: its dependencies stay imports, so that theirs and ours are the same. */
async function buildClient(): Promise<void> {
  const { build } = await import('rolldown');
  await build({
    cwd: root,
    input: 'src/client/index.ts',
    platform: 'neutral',
    external: /^[^./]/,
    logLevel: 'warn',
    output: { file: 'dist/client.js', format: 'esm' },
  });
  rmSync(join(root, 'dist/types'), { recursive: true, force: true });
  const tsc = spawnSync(process.execPath, ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.types.json'], {
    cwd: root,
    stdio: ['ignore', 2, 2],
  });
  if (tsc.status !== 0) throw new Error('The declarations of src/client could not be written: see the errors above.');
}

async function buildPage(): Promise<void> {
  const { build } = await import('vite');
  await build({ root: join(root, 'web'), logLevel: 'warn' });
}

/** Names, sizes and times of the sources: as good as their content here, and read in a few milliseconds. */
function fingerprint(target: Target): string {
  const hash = createHash('sha256');
  for (const source of [...always, ...target.sources]) {
    for (const file of filesUnder(source)) {
      const { size, mtimeMs } = statSync(join(root, file));
      hash.update(`${file} ${size} ${mtimeMs}\n`);
    }
  }
  return hash.digest('hex');
}

function filesUnder(path: string): readonly string[] {
  if (!statSync(join(root, path), { throwIfNoEntry: false })?.isDirectory()) return [path];
  return readdirSync(join(root, path), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/\.test\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
    .sort();
}

function readStamps(): Record<string, string> {
  try {
    return JSON.parse(readFileSync(stampFile, 'utf8')) as Record<string, string>;
  } catch {
    return {};
  }
}
