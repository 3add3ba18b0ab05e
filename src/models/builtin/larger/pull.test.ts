import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import {
  type Registry,
  setUpRegistry,
  startPackages,
  tarball,
} from '../../../../test/support/models/package-registry.ts';
import { isRefusal } from '../../../core/refusal.ts';
import { cachedFilePath } from '../weights/cache.ts';
import type { PinnedPackage } from '../weights/pinned.ts';
import type { LargerModelSpec } from './pinned.ts';
import { type PullPlan, planModelPull, planPull } from './pull.ts';
import { hasRuntime, LLAMA_RUNTIME, type ModelRuntime, runtimeDirectory } from './runtime.ts';

const NPM_MS = 60_000;
const LIBRARY = 'heddle-test-library';
const contents = [1, 2].map((n) => Buffer.from(Array.from({ length: 150_000 }, (_, i) => (i * 7919 * n) % 251)));
const archives = contents.map((content, i) => archive(`heddle-test-part${i + 1}`, { 'package/model.part': content }));
const library = archive(LIBRARY, { 'package/index.js': Buffer.from('export {}') });
const whole = Buffer.concat(contents);
const kind: LargerModelSpec = {
  title: 'A test model',
  licence: 'none',
  context: 64,
  parts: contents.map((content, i): PinnedPackage => {
    const files = [{ path: 'package/model.part', bytes: content.length, sha256: hash('sha256', content, 'hex') }];
    const packed = { bytes: archives[i]!.length, sha512: hash('sha512', archives[i]!, 'base64') };
    const name = `heddle-test-part${i + 1}`;
    return { name, package: name, version: '1.0.0', tarball: packed, files, licence: 'none' };
  }),
  whole: {
    package: 'heddle-test-whole',
    version: '1.0.0',
    files: [{ path: 'model.gguf', bytes: whole.length, sha256: hash('sha256', whole, 'hex') }],
  },
};
const runtime: ModelRuntime = {
  package: LIBRARY,
  version: '1.0.0',
  licence: 'MIT',
  compiled: LIBRARY,
  lock: async () => lockWith(hash('sha512', library, 'base64')),
  bytes: library.length,
};
let registry: Registry;
let cache: string;

setUpRegistry(
  () => {
    const packages = { [LIBRARY]: library, 'heddle-test-part1': archives[0]!, 'heddle-test-part2': archives[1]! };
    return startPackages(
      Object.fromEntries(
        Object.entries(packages).map(([name, packed]) => [name, { version: '1.0.0', archive: packed }]),
      ),
    );
  },
  (opened) => {
    ({ registry, cache } = opened);
  },
);

test('[M3] pulling a larger model shows size and licence first, then downloads everything once', {
  timeout: NPM_MS,
}, async () => {
  const pull = await planTestPull();
  expect(pull.missing).toMatchObject([
    { what: 'its runtime, heddle-test-library@1.0.0', bytes: library.length, licence: 'MIT' },
    { what: 'its weights, heddle-test-part1@1.0.0', bytes: archives[0]!.length, licence: 'none' },
    { what: 'its weights, heddle-test-part2@1.0.0', bytes: archives[1]!.length, licence: 'none' },
  ]);
  expect(registry.downloads).toBe(0);
  const total = pull.missing.reduce((sum, { bytes }) => sum + bytes, 0);
  const seen: (readonly number[])[] = [];
  await pull.run((...progress) => seen.push(progress));
  expect(seen.at(-1)).toEqual([total, total]);
  expect(seen.every(([received], i) => i === 0 || received! >= seen[i - 1]![0]!)).toBe(true);
  expect(readFileSync(cachedFilePath(cache, kind.whole, kind.whole.files[0]!)).equals(whole)).toBe(true);
  expect(hasRuntime(cache, runtime)).toBe(true);
  // Only the whole stays, not its parts.
  expect(readdirSync(cache)).toHaveLength(2);
  expect(readdirSync(runtimeDirectory(cache, runtime)).sort()).toEqual([
    'node_modules',
    'package-lock.json',
    'package.json',
  ]);
  const again = await planTestPull();
  expect(again.missing).toEqual([]);
  await again.run(() => {});
  expect(registry.downloads).toBe(3);
});

test('[M3] an interrupted pull continues with what is missing', { timeout: NPM_MS }, async () => {
  registry.halting.add('heddle-test-part2');
  const pull = await planTestPull();
  const stop = new AbortController();
  const first = pull.missing[0]!.bytes + pull.missing[1]!.bytes;
  const running = pull.run((received) => received > first && stop.abort(), stop.signal);
  await expect(running).rejects.toMatchObject({ name: 'AbortError' });
  expect(readdirSync(cache).some((name) => name.startsWith('fetching-'))).toBe(false);
  registry.halting.clear();
  const rest = await planTestPull();
  expect(rest.missing.map(({ what }) => what)).toEqual(['its weights, heddle-test-part2@1.0.0']);
  await rest.run(() => {});
  expect(registry.requested.filter((name) => name === 'heddle-test-part1')).toHaveLength(1);
  expect((await planTestPull()).missing).toEqual([]);
});

test('[M3] a runtime that is not the pinned one is not used', { timeout: NPM_MS }, async () => {
  const other = { ...runtime, lock: async () => lockWith(hash('sha512', Buffer.from('another'), 'base64')) };
  const pull = (await planModelPull('tinyllama', kind, other, cache)) as PullPlan;
  await expect(pull.run(() => {})).rejects.toThrow(/^npm could not fetch heddle-test-library@1.0.0: /);
  expect(readdirSync(cache)).toEqual([]);
});

test('[M3] damaged weights are downloaded again', { timeout: NPM_MS }, async () => {
  await (await planTestPull()).run(() => {});
  const place = cachedFilePath(cache, kind.whole, kind.whole.files[0]!);
  writeFileSync(place, whole.toReversed());
  const pull = await planTestPull();
  expect(pull.missing).toHaveLength(2);
  await pull.run(() => {});
  expect(readFileSync(place).equals(whole)).toBe(true);
});

test('[M3] a model that cannot be pulled is refused with those that can', async () => {
  expect(await planPull('tinylama', cache)).toMatchObject({
    refusal: {
      code: 'unknown_model',
      message: 'There is no model "tinylama" to pull. Did you mean "tinyllama"? Available models: tinyllama.',
    },
  });
  const elsewhere = await planModelPull('tinyllama', kind, { ...runtime, compiled: undefined }, cache);
  expect(elsewhere).toMatchObject({
    refusal: { code: 'model_unavailable', message: expect.stringContaining('cannot be pulled on this machine') },
  });
});

test('[M3] every package of the real runtime is pinned by version and integrity, and none by address', async () => {
  const lock = Object.entries(await LLAMA_RUNTIME.lock()) as [string, { version: string; integrity: string }][];
  for (const [, entry] of lock) {
    expect(entry).toMatchObject({ version: expect.any(String), integrity: expect.stringMatching(/^sha512-/) });
    expect(entry).not.toHaveProperty('resolved');
  }
  const names = lock.map(([path]) => path);
  expect(names).toContain('node_modules/node-llama-cpp');
  for (const machine of ['linux-x64', 'linux-arm64'])
    expect(names).toContain(`node_modules/@node-llama-cpp/${machine}`);
});

async function planTestPull(): Promise<PullPlan> {
  const pull = await planModelPull('tinyllama', kind, runtime, cache);
  if (isRefusal(pull)) throw new Error(pull.refusal.message);
  return pull;
}

function lockWith(integrity: string) {
  return { [`node_modules/${LIBRARY}`]: { version: '1.0.0', integrity: `sha512-${integrity}` } };
}

function archive(name: string, files: Readonly<Record<string, Buffer>>): Buffer {
  // A script that would fail: none is run.
  const manifest = { name, version: '1.0.0', scripts: { install: 'exit 1', prepare: 'exit 1' } };
  return tarball({ 'package/package.json': Buffer.from(JSON.stringify(manifest)), ...files });
}

function hash(algorithm: string, content: Buffer, encoding: 'hex' | 'base64'): string {
  return createHash(algorithm).update(content).digest(encoding);
}
